"""What is new at the table, on its way to everybody who looks."""
