// SPDX-License-Identifier: GPL-2.0-only
/*
 * resmon: admission throttling for broadband network gateways.
 *
 * The table of contents: everything there is, in the order in which it begins,
 * and in the opposite order in which it ends.
 */
#include <linux/module.h>

#include "echo.h"
#include "net.h"
#include "netdev.h"
#include "netlink.h"
#include "session.h"
#include "sysfs.h"
#include "xdp.h"

static int __init resmon_init(void)
{
	int err;

	err = resmon_session_global_init();
	if (err)
		goto err;
	err = resmon_echo_global_init();
	if (err)
		goto err_session;
	err = resmon_sysfs_register();
	if (err)
		goto err_echo;
	err = resmon_net_register();
	if (err)
		goto err_sysfs;
	err = resmon_netdev_register();
	if (err)
		goto err_net;
	err = resmon_netlink_register();
	if (err)
		goto err_netdev;
	err = resmon_xdp_register();
	if (err)
		goto err_netlink;
	return 0;

err_netlink:
	resmon_netlink_unregister();
err_netdev:
	resmon_netdev_unregister();
err_net:
	resmon_net_unregister();
err_sysfs:
	resmon_sysfs_unregister();
err_echo:
	resmon_echo_global_exit();
err_session:
	resmon_session_global_exit();
err:
	return err;
}

static void __exit resmon_exit(void)
{
	resmon_netlink_unregister();
	resmon_netdev_unregister();
	resmon_net_unregister();
	resmon_sysfs_unregister();
	resmon_echo_global_exit();
	resmon_session_global_exit();
}

module_init(resmon_init);
module_exit(resmon_exit);

MODULE_DESCRIPTION("Admission throttling for broadband network gateways");
MODULE_AUTHOR("The resmon developers");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1.0");
MODULE_ALIAS_GENL_FAMILY(RESMON_FAMILY_NAME);
