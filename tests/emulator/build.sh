#!/usr/bin/env bash
# build.sh FOLDER: a machine with a Raspberry Pi's lines and a webcam's port, as FOLDER/{vmlinuz,initrd,root.img}, from
# Debian's packages, the wheels that Debian has none of, and two modules of the kernel's that Debian does not build.
# Takes root, mmdebstrap, mkfs.ext4, pip, a network and some two minutes; what uses it is machine.py.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
mkdir -p "$1"
cache=$(readlink -f "$1")
tree=$cache/tree
rm -rf "$tree" "$cache"/{gpiozero,vmlinuz,initrd,root.img}
mkdir -p "$tree"
trap 'rm -rf "$tree"' EXIT

packages=(
    systemd systemd-sysv udev kmod iproute2 procps # the machine
    linux-image-amd64 initramfs-tools              # its kernel
    linux-headers-amd64 linux-source build-essential bc python3-dev swig # for modules and wheels
    python3-venv python3-pip python3-setuptools python3-wheel
    python3-click python3-flask python3-flask-babel python3-waitress python3-segno python3-platformdirs # the page
    python3-colorzero python3-libgpiod python3-evdev # buttons
    python3-libcamera libcamera-ipa libcamera-v4l2 python3-prctl python3-numpy python3-pil python3-piexif # picamera2
    python3-jsonschema python3-libarchive-c python3-tqdm python3-av
)
wheels=(gpiozero opencv-python-headless picamera2 simplejpeg videodev2 openexr)

echo "$((SECONDS)) s: packages"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
mmdebstrap --mode=root --variant=minbase --include="${packages[*]}" \
    --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt=force-unsafe-io --dpkgopt=force-confold \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --essential-hook='mkdir -p "$1/etc/initramfs-tools/conf.d"' \
    --essential-hook='echo MODULES=list > "$1/etc/initramfs-tools/conf.d/rig"' \
    --essential-hook='printf "%s\n" virtio_pci virtio_blk ext4 > "$1/etc/initramfs-tools/modules"' \
    --customize-hook='rm -rf "$1"/etc/apt/sources.list*' \
    trixie "$tree" "$mirror" > "$cache/packages.log" 2>&1
kernel=$(basename "$tree"/lib/modules/*)

echo "$((SECONDS)) s: modules"
work=$tree/root/modules
cp -r "$here/modules" "$work"
tar --extract --file "$tree"/usr/src/linux-source-*.tar.xz --directory "$work" --strip-components=3 --wildcards \
    '*/drivers/gpio/gpio-sim.c' '*/kernel/irq/irq_sim.c'
mv "$work/gpio-sim.c" "$work/simulated.c"
chroot "$tree" make -C "/lib/modules/$kernel/build" M=/root/modules modules > "$cache/modules.log" 2>&1
cp "$work"/*.ko "$tree/lib/modules/$kernel/"
chroot "$tree" depmod "$kernel"

echo "$((SECONDS)) s: wheels"
python=$(chroot "$tree" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
platforms=()
for glibc in 17 24 28 34 39; do platforms+=(--platform "manylinux_2_${glibc}_x86_64"); done
mkdir "$tree/root/wheels"
python3 -m pip download --quiet --no-deps --only-binary=:all: --python-version "$python" --implementation cp \
    "${platforms[@]}" --dest "$tree/root/wheels" "${wheels[@]}"
python3 -m pip download --quiet --no-deps --no-binary=:all: --dest "$tree/root/wheels" lgpio pidng
# gpiozero's own tests are not in its wheel.
gpiozero=$(cd "$tree/root/wheels" && echo gpiozero-*.whl | cut -d - -f 2)
mkdir "$cache/gpiozero"
python3 -m pip download --quiet --no-deps --no-binary=:all: --dest "$cache/gpiozero" "gpiozero==$gpiozero"
tar --extract --file "$cache"/gpiozero/*.tar.gz --directory "$cache/gpiozero" --strip-components=1 --wildcards '*/tests/*'
env --unset=PIP_FIND_LINKS chroot "$tree" sh -euc '
    python3 -m venv --system-site-packages /opt/table-companion/.venv
    PYPI=1 /opt/table-companion/.venv/bin/pip install --quiet --no-index --no-deps --no-build-isolation /root/wheels/*'

echo "$((SECONDS)) s: image"
rm -rf "$work" "$tree"/root/wheels "$tree"/usr/src/linux-source-*
cp -r "$here/stubs/." "$tree/opt/table-companion/.venv/lib/python$python/site-packages/"
install -m 755 "$here/guest/errand" "$tree/usr/local/sbin/rig-errand"
install -m 644 "$here/guest/errand.service" "$tree/etc/systemd/system/rig-errand.service"
ln -s ../rig-errand.service "$tree/etc/systemd/system/multi-user.target.wants/"
for unit in getty@tty1.service serial-getty@ttyS0.service apt-daily.timer apt-daily-upgrade.timer; do
    ln -sf /dev/null "$tree/etc/systemd/system/$unit"
done
echo rig > "$tree/etc/hostname"
: > "$tree/etc/machine-id"
echo '/dev/vda / ext4 defaults,noatime 0 1' > "$tree/etc/fstab"
mkdir -p "$tree/rig"
cp "$tree/boot/vmlinuz-$kernel" "$cache/vmlinuz"
cp "$tree/boot/initrd.img-$kernel" "$cache/initrd"
truncate --size=4G "$cache/root.new"
mkfs.ext4 -q -d "$tree" "$cache/root.new"
# Last of all: what is there is whole.
mv "$cache/root.new" "$cache/root.img"
echo "$((SECONDS)) s: $(du -h "$cache/root.img" | cut -f 1)"
