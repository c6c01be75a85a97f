"""What one attaches to a bug report: all that tells what went wrong, and nothing that is nobody's business."""
