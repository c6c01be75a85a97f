// SPDX-License-Identifier: GPL-2.0
/* The virtual USB port gets the link to its firmware that every real one has: libcamera names a camera after it, and
 * shows none without. */
#include <linux/acpi.h>
#include <linux/module.h>
#include <linux/platform_device.h>

static struct device *port;

static int __init link_port(void)
{
	struct acpi_device *bus = acpi_dev_get_first_match_dev("PNP0A03", NULL, -1);
	int wrong = -ENODEV;

	port = bus_find_device_by_name(&platform_bus_type, NULL, "vhci_hcd.0");
	if (bus && port)
		wrong = sysfs_create_link(&port->kobj, &bus->dev.kobj, "firmware_node");
	if (wrong)
		put_device(port);
	acpi_dev_put(bus);
	return wrong;
}

static void __exit unlink_port(void)
{
	sysfs_remove_link(&port->kobj, "firmware_node");
	put_device(port);
}

module_init(link_port);
module_exit(unlink_port);
MODULE_DESCRIPTION("A firmware_node for the virtual USB port");
MODULE_LICENSE("GPL");
