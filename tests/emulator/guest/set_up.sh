#!/bin/sh
# What systemd/README.md says, as far as it goes without a network; then the rig's own hardware.
set -e
cp -r /rig/project/. /opt/table-companion/
/opt/table-companion/.venv/bin/pip install --quiet --no-deps --no-index --no-build-isolation /opt/table-companion
cd /opt/table-companion
install -D -m 644 systemd/table-companion.sysusers /etc/sysusers.d/table-companion.conf && systemd-sysusers
cp systemd/table-companion.service /etc/systemd/system/
systemctl daemon-reload
ip link set lo up
# As on Raspberry Pi OS.
cat > /etc/udev/rules.d/99-pi.rules <<'RULES'
SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"
SUBSYSTEM=="dma_heap", GROUP="video", MODE="0660"
RULES
udevadm control --reload
udevadm trigger --subsystem-match=dma_heap --settle
ln -sf system /dev/dma_heap/linux,cma
for module in gpio-sim vhci_hcd usb-port-node uvcvideo uinput evdev; do modprobe $module; done
