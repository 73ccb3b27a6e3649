// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the netlink specification says about attributes and operations.
 * Made by schema.py from Documentation/netlink/specs/resmon.yaml, do not edit.
 */

#include <linux/resmon.h>

#include "schema.h"

static const char * const type_words[] = {
	[RESMON_TYPE_ANY] = "any",
	[RESMON_TYPE_PPPOE] = "pppoe",
	[RESMON_TYPE_DHCP] = "dhcp",
	[RESMON_TYPE_L2TP] = "l2tp",
};

const struct names names_type = {
	type_words, RESMON_TYPE_MAX + 1
};

static const char * const kind_words[] = {
	[RESMON_KIND_CLIENT] = "client",
	[RESMON_KIND_SERVICE] = "service",
};

const struct names names_kind = {
	kind_words, RESMON_KIND_MAX + 1
};

static const char * const state_words[] = {
	[RESMON_STATE_STARTING] = "starting",
	[RESMON_STATE_ACTIVE] = "active",
};

const struct names names_state = {
	state_words, RESMON_STATE_MAX + 1
};

static const char * const element_kind_words[] = {
	[RESMON_ELEMENT_KIND_CHASSIS] = "chassis",
	[RESMON_ELEMENT_KIND_DEVICE] = "device",
	[RESMON_ELEMENT_KIND_MIC] = "mic",
	[RESMON_ELEMENT_KIND_PORT] = "port",
	[RESMON_ELEMENT_KIND_LAG] = "lag",
};

const struct names names_element_kind = {
	element_kind_words, RESMON_ELEMENT_KIND_MAX + 1
};

static const char * const verdict_words[] = {
	[RESMON_VERDICT_ADMIT] = "admit",
	[RESMON_VERDICT_DENY] = "deny",
	[RESMON_VERDICT_DROP] = "drop",
	[RESMON_VERDICT_HELD] = "held",
};

const struct names names_verdict = {
	verdict_words, RESMON_VERDICT_MAX + 1
};

static const char * const cause_words[] = {
	[RESMON_CAUSE_NONE] = "none",
	[RESMON_CAUSE_CAP_PORT] = "cap-port",
	[RESMON_CAUSE_CAP_MIC] = "cap-mic",
	[RESMON_CAUSE_CAP_DEVICE] = "cap-device",
	[RESMON_CAUSE_CAP_CHASSIS] = "cap-chassis",
	[RESMON_CAUSE_CAP_LAG] = "cap-lag",
	[RESMON_CAUSE_CAP_STARTING] = "cap-starting",
	[RESMON_CAUSE_DRAIN] = "drain",
	[RESMON_CAUSE_SETTLE] = "settle",
	[RESMON_CAUSE_MEMORY] = "memory",
	[RESMON_CAUSE_COS] = "cos",
	[RESMON_CAUSE_RTT] = "rtt",
	[RESMON_CAUSE_RATE] = "rate",
	[RESMON_CAUSE_DYNAMIC] = "dynamic",
	[RESMON_CAUSE_RAMP] = "ramp",
	[RESMON_CAUSE_QUEUE_FULL] = "queue-full",
	[RESMON_CAUSE_QUEUE_EXPIRED] = "queue-expired",
	[RESMON_CAUSE_QUEUE_GONE] = "queue-gone",
	[RESMON_CAUSE_ERROR] = "error",
};

const struct names names_cause = {
	cause_words, RESMON_CAUSE_MAX + 1
};

static const char * const on_error_words[] = {
	[RESMON_ON_ERROR_DENY] = "deny",
	[RESMON_ON_ERROR_ADMIT] = "admit",
};

const struct names names_on_error = {
	on_error_words, RESMON_ON_ERROR_MAX + 1
};

static const char * const region_kind_words[] = {
	[RESMON_REGION_KIND_HEAP] = "heap",
	[RESMON_REGION_KIND_NH] = "nh",
	[RESMON_REGION_KIND_FW] = "fw",
	[RESMON_REGION_KIND_ENCAP] = "encap",
};

const struct names names_region_kind = {
	region_kind_words, RESMON_REGION_KIND_MAX + 1
};

static const char * const law_words[] = {
	[RESMON_LAW_STEP] = "step",
	[RESMON_LAW_PROPORTIONAL] = "proportional",
	[RESMON_LAW_PI] = "pi",
};

const struct names names_law = {
	law_words, RESMON_LAW_MAX + 1
};

static const char * const recovery_words[] = {
	[RESMON_RECOVERY_IMMEDIATE] = "immediate",
	[RESMON_RECOVERY_STEP] = "step",
};

const struct names names_recovery = {
	recovery_words, RESMON_RECOVERY_MAX + 1
};

static const char * const select_words[] = {
	[RESMON_SELECT_AUTO] = "auto",
	[RESMON_SELECT_SPREAD] = "spread",
	[RESMON_SELECT_STICKY] = "sticky",
};

const struct names names_select = {
	select_words, RESMON_SELECT_MAX + 1
};

static const char * const engine_words[] = {
	[RESMON_ENGINE_NONE] = "none",
	[RESMON_ENGINE_AGENT] = "agent",
	[RESMON_ENGINE_SOFTNET] = "softnet",
	[RESMON_ENGINE_CFM] = "cfm",
};

const struct names names_engine = {
	engine_words, RESMON_ENGINE_MAX + 1
};

static const char * const login_words[] = {
	[RESMON_LOGIN_PPPOE] = "pppoe",
	[RESMON_LOGIN_DHCP4] = "dhcp4",
	[RESMON_LOGIN_DHCP6] = "dhcp6",
	[RESMON_LOGIN_L2TP] = "l2tp",
};

const struct names names_login = {
	login_words, RESMON_LOGIN_MAX + 1
};

static const char * const action_words[] = {
	[RESMON_ACTION_OFF] = "off",
	[RESMON_ACTION_COUNT] = "count",
	[RESMON_ACTION_DROP] = "drop",
	[RESMON_ACTION_REJECT] = "reject",
};

const struct names names_action = {
	action_words, RESMON_ACTION_MAX + 1
};

static const char * const enforce_mode_words[] = {
	[RESMON_ENFORCE_MODE_HOOK] = "hook",
	[RESMON_ENFORCE_MODE_XDP] = "xdp",
};

const struct names names_enforce_mode = {
	enforce_mode_words, RESMON_ENFORCE_MODE_MAX + 1
};

static const char * const identity_words[] = {
	[RESMON_IDENTITY_MAC] = "mac",
	[RESMON_IDENTITY_CIRCUIT] = "circuit",
};

const struct names names_identity = {
	identity_words, RESMON_IDENTITY_MAX + 1
};

static const char * const priority_words[] = {
	[RESMON_PRIORITY_NONE] = "none",
	[RESMON_PRIORITY_VLAN] = "vlan",
	[RESMON_PRIORITY_MAC] = "mac",
	[RESMON_PRIORITY_SERVICE_NAME] = "service-name",
	[RESMON_PRIORITY_CIRCUIT] = "circuit",
};

const struct names names_priority = {
	priority_words, RESMON_PRIORITY_MAX + 1
};

static const char * const event_type_words[] = {
	[RESMON_EVENT_TYPE_VERDICT] = "verdict",
	[RESMON_EVENT_TYPE_LIMIT_WARN] = "limit-warn",
	[RESMON_EVENT_TYPE_LIMIT_CLEAR] = "limit-clear",
	[RESMON_EVENT_TYPE_THROTTLE] = "throttle",
	[RESMON_EVENT_TYPE_ECHO_SILENT] = "echo-silent",
	[RESMON_EVENT_TYPE_ECHO_UP] = "echo-up",
	[RESMON_EVENT_TYPE_ECHO_DOWN] = "echo-down",
	[RESMON_EVENT_TYPE_ECHO_GONE] = "echo-gone",
	[RESMON_EVENT_TYPE_REGION_LOW] = "region-low",
	[RESMON_EVENT_TYPE_REGION_CLEAR] = "region-clear",
	[RESMON_EVENT_TYPE_REGION_HIGH] = "region-high",
	[RESMON_EVENT_TYPE_REGION_NORMAL] = "region-normal",
	[RESMON_EVENT_TYPE_DRAINED] = "drained",
};

const struct names names_event_type = {
	event_type_words, RESMON_EVENT_TYPE_MAX + 1
};

static const struct attr target_attrs[] = {
	[RESMON_A_TARGET_KIND] = {
		"kind", ATTR_U32, .names = &names_element_kind
	},
	[RESMON_A_TARGET_DEVICE] = {
		"device", ATTR_U32
	},
	[RESMON_A_TARGET_MIC] = {
		"mic", ATTR_U32
	},
	[RESMON_A_TARGET_IFINDEX] = {
		"ifindex", ATTR_U32
	},
	[RESMON_A_TARGET_IFNAME] = {
		"ifname", ATTR_STRING
	},
};

const struct attr_set set_target = {
	"target", target_attrs, RESMON_A_TARGET_MAX
};

static const struct attr chassis_attrs[] = {
	[RESMON_A_CHASSIS_THROTTLE] = {
		"throttle", ATTR_U32
	},
	[RESMON_A_CHASSIS_LOAD_THROTTLE] = {
		"load-throttle", ATTR_U32
	},
	[RESMON_A_CHASSIS_HIGH_THRESHOLD] = {
		"high-threshold", ATTR_U32
	},
	[RESMON_A_CHASSIS_LOGGING] = {
		"logging", ATTR_U32
	},
	[RESMON_A_CHASSIS_ON_ERROR] = {
		"on-error", ATTR_U32, .names = &names_on_error
	},
	[RESMON_A_CHASSIS_SETTLE] = {
		"settle", ATTR_U32
	},
	[RESMON_A_CHASSIS_RETRY_MIN] = {
		"retry-min", ATTR_U32
	},
	[RESMON_A_CHASSIS_RETRY_MAX] = {
		"retry-max", ATTR_U32
	},
	[RESMON_A_CHASSIS_DRAIN] = {
		"drain", ATTR_U32
	},
	[RESMON_A_CHASSIS_SESSIONS] = {
		"sessions", ATTR_U32
	},
	[RESMON_A_CHASSIS_STARTING] = {
		"starting", ATTR_U32
	},
	[RESMON_A_CHASSIS_SERVICES] = {
		"services", ATTR_U32
	},
	[RESMON_A_CHASSIS_PEAK] = {
		"peak", ATTR_U32
	},
	[RESMON_A_CHASSIS_LIMIT] = {
		"limit", ATTR_U32
	},
	[RESMON_A_CHASSIS_DENIED] = {
		"denied", ATTR_U64
	},
	[RESMON_A_CHASSIS_ADMITTED] = {
		"admitted", ATTR_U64
	},
	[RESMON_A_CHASSIS_DEVICES] = {
		"devices", ATTR_U32
	},
	[RESMON_A_CHASSIS_PORTS] = {
		"ports", ATTR_U32
	},
	[RESMON_A_CHASSIS_EVENTS_LOST] = {
		"events-lost", ATTR_U64
	},
	[RESMON_A_CHASSIS_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_chassis = {
	"chassis", chassis_attrs, RESMON_A_CHASSIS_MAX
};

static const struct attr device_attrs[] = {
	[RESMON_A_DEVICE_INDEX] = {
		"index", ATTR_U32
	},
	[RESMON_A_DEVICE_NAME] = {
		"name", ATTR_STRING
	},
	[RESMON_A_DEVICE_HOST] = {
		"host", ATTR_U32
	},
	[RESMON_A_DEVICE_DRAIN] = {
		"drain", ATTR_U32
	},
	[RESMON_A_DEVICE_SESSIONS] = {
		"sessions", ATTR_U32
	},
	[RESMON_A_DEVICE_STARTING] = {
		"starting", ATTR_U32
	},
	[RESMON_A_DEVICE_SERVICES] = {
		"services", ATTR_U32
	},
	[RESMON_A_DEVICE_PEAK] = {
		"peak", ATTR_U32
	},
	[RESMON_A_DEVICE_LIMIT] = {
		"limit", ATTR_U32
	},
	[RESMON_A_DEVICE_REFUSED] = {
		"refused", ATTR_U64
	},
	[RESMON_A_DEVICE_PORTS] = {
		"ports", ATTR_U32
	},
	[RESMON_A_DEVICE_ALLOWED] = {
		"allowed", ATTR_U32
	},
	[RESMON_A_DEVICE_RTT_US] = {
		"rtt-us", ATTR_U32
	},
	[RESMON_A_DEVICE_AVG_US] = {
		"avg-us", ATTR_U32
	},
	[RESMON_A_DEVICE_AVG_N] = {
		"avg-n", ATTR_U32
	},
	[RESMON_A_DEVICE_PFES] = {
		"pfes", ATTR_U32
	},
	[RESMON_A_DEVICE_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_device = {
	"device", device_attrs, RESMON_A_DEVICE_MAX
};

static const struct attr mic_attrs[] = {
	[RESMON_A_MIC_DEVICE] = {
		"device", ATTR_U32
	},
	[RESMON_A_MIC_INDEX] = {
		"index", ATTR_U32
	},
	[RESMON_A_MIC_DRAIN] = {
		"drain", ATTR_U32
	},
	[RESMON_A_MIC_SESSIONS] = {
		"sessions", ATTR_U32
	},
	[RESMON_A_MIC_STARTING] = {
		"starting", ATTR_U32
	},
	[RESMON_A_MIC_PEAK] = {
		"peak", ATTR_U32
	},
	[RESMON_A_MIC_LIMIT] = {
		"limit", ATTR_U32
	},
	[RESMON_A_MIC_REFUSED] = {
		"refused", ATTR_U64
	},
	[RESMON_A_MIC_PORTS] = {
		"ports", ATTR_U32
	},
	[RESMON_A_MIC_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_mic = {
	"mic", mic_attrs, RESMON_A_MIC_MAX
};

static const struct attr port_attrs[] = {
	[RESMON_A_PORT_IFINDEX] = {
		"ifindex", ATTR_U32
	},
	[RESMON_A_PORT_IFNAME] = {
		"ifname", ATTR_STRING
	},
	[RESMON_A_PORT_DEVICE] = {
		"device", ATTR_U32
	},
	[RESMON_A_PORT_MIC] = {
		"mic", ATTR_U32
	},
	[RESMON_A_PORT_ANCHOR] = {
		"anchor", ATTR_U32, .multi = true
	},
	[RESMON_A_PORT_LAG_IFINDEX] = {
		"lag-ifindex", ATTR_U32
	},
	[RESMON_A_PORT_LAG_IFNAME] = {
		"lag-ifname", ATTR_STRING
	},
	[RESMON_A_PORT_LEG_ACTIVE] = {
		"leg-active", ATTR_U32
	},
	[RESMON_A_PORT_DRAIN] = {
		"drain", ATTR_U32
	},
	[RESMON_A_PORT_SESSIONS] = {
		"sessions", ATTR_U32
	},
	[RESMON_A_PORT_STARTING] = {
		"starting", ATTR_U32
	},
	[RESMON_A_PORT_PEAK] = {
		"peak", ATTR_U32
	},
	[RESMON_A_PORT_LIMIT] = {
		"limit", ATTR_U32
	},
	[RESMON_A_PORT_OWN] = {
		"own", ATTR_U32
	},
	[RESMON_A_PORT_DENIED] = {
		"denied", ATTR_U64
	},
	[RESMON_A_PORT_REFUSED] = {
		"refused", ATTR_U64
	},
	[RESMON_A_PORT_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_port = {
	"port", port_attrs, RESMON_A_PORT_MAX
};

static const struct attr lag_attrs[] = {
	[RESMON_A_LAG_IFINDEX] = {
		"ifindex", ATTR_U32
	},
	[RESMON_A_LAG_IFNAME] = {
		"ifname", ATTR_STRING
	},
	[RESMON_A_LAG_LEG] = {
		"leg", ATTR_NEST, .set = &set_leg, .multi = true
	},
	[RESMON_A_LAG_DRAIN] = {
		"drain", ATTR_U32
	},
	[RESMON_A_LAG_SESSIONS] = {
		"sessions", ATTR_U32
	},
	[RESMON_A_LAG_STARTING] = {
		"starting", ATTR_U32
	},
	[RESMON_A_LAG_PEAK] = {
		"peak", ATTR_U32
	},
	[RESMON_A_LAG_LIMIT] = {
		"limit", ATTR_U32
	},
	[RESMON_A_LAG_DENIED] = {
		"denied", ATTR_U64
	},
	[RESMON_A_LAG_REFUSED] = {
		"refused", ATTR_U64
	},
	[RESMON_A_LAG_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_lag = {
	"lag", lag_attrs, RESMON_A_LAG_MAX
};

static const struct attr leg_attrs[] = {
	[RESMON_A_LEG_IFINDEX] = {
		"ifindex", ATTR_U32
	},
	[RESMON_A_LEG_IFNAME] = {
		"ifname", ATTR_STRING
	},
	[RESMON_A_LEG_ACTIVE] = {
		"active", ATTR_U32
	},
};

const struct attr_set set_leg = {
	"leg", leg_attrs, RESMON_A_LEG_MAX
};

static const struct attr limit_attrs[] = {
	[RESMON_A_LIMIT_TARGET] = {
		"target", ATTR_NEST, .set = &set_target
	},
	[RESMON_A_LIMIT_TYPE] = {
		"type", ATTR_U32, .names = &names_type
	},
	[RESMON_A_LIMIT_MAX_SESSIONS] = {
		"max-sessions", ATTR_U32
	},
	[RESMON_A_LIMIT_MAX_STARTING] = {
		"max-starting", ATTR_U32
	},
	[RESMON_A_LIMIT_WARN] = {
		"warn", ATTR_U32
	},
	[RESMON_A_LIMIT_SESSIONS] = {
		"sessions", ATTR_U32
	},
	[RESMON_A_LIMIT_STARTING] = {
		"starting", ATTR_U32
	},
	[RESMON_A_LIMIT_PEAK] = {
		"peak", ATTR_U32
	},
	[RESMON_A_LIMIT_PEAK_TIME] = {
		"peak-time", ATTR_U64
	},
	[RESMON_A_LIMIT_REFUSED] = {
		"refused", ATTR_U64
	},
	[RESMON_A_LIMIT_OVER] = {
		"over", ATTR_U32
	},
	[RESMON_A_LIMIT_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_limit = {
	"limit", limit_attrs, RESMON_A_LIMIT_MAX
};

static const struct attr drain_attrs[] = {
	[RESMON_A_DRAIN_TARGET] = {
		"target", ATTR_NEST, .set = &set_target
	},
	[RESMON_A_DRAIN_ON] = {
		"on", ATTR_U32
	},
	[RESMON_A_DRAIN_LEFT] = {
		"left", ATTR_U32
	},
};

const struct attr_set set_drain = {
	"drain", drain_attrs, RESMON_A_DRAIN_MAX
};

static const struct attr watermark_attrs[] = {
	[RESMON_A_WATERMARK_HEAP] = {
		"heap", ATTR_U32
	},
	[RESMON_A_WATERMARK_NH] = {
		"nh", ATTR_U32
	},
	[RESMON_A_WATERMARK_FW] = {
		"fw", ATTR_U32
	},
	[RESMON_A_WATERMARK_DEAD_BAND] = {
		"dead-band", ATTR_U32
	},
	[RESMON_A_WATERMARK_RESET] = {
		"reset", ATTR_FLAG
	},
};

const struct attr_set set_watermark = {
	"watermark", watermark_attrs, RESMON_A_WATERMARK_MAX
};

static const struct attr region_attrs[] = {
	[RESMON_A_REGION_DEVICE] = {
		"device", ATTR_U32
	},
	[RESMON_A_REGION_PFE] = {
		"pfe", ATTR_U32
	},
	[RESMON_A_REGION_REGION] = {
		"region", ATTR_U32, .names = &names_region_kind
	},
	[RESMON_A_REGION_USED] = {
		"used", ATTR_U64
	},
	[RESMON_A_REGION_TOTAL] = {
		"total", ATTR_U64
	},
	[RESMON_A_REGION_LIFETIME] = {
		"lifetime", ATTR_U32
	},
	[RESMON_A_REGION_FREE_PCT] = {
		"free-pct", ATTR_U32
	},
	[RESMON_A_REGION_USED_PCT] = {
		"used-pct", ATTR_U32
	},
	[RESMON_A_REGION_LOW] = {
		"low", ATTR_U32
	},
	[RESMON_A_REGION_HIGH] = {
		"high", ATTR_U32
	},
	[RESMON_A_REGION_AGE] = {
		"age", ATTR_U32
	},
	[RESMON_A_REGION_STALE] = {
		"stale", ATTR_U32
	},
	[RESMON_A_REGION_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_region = {
	"region", region_attrs, RESMON_A_REGION_MAX
};

static const struct attr rtt_attrs[] = {
	[RESMON_A_RTT_TARGET] = {
		"target", ATTR_NEST, .set = &set_target
	},
	[RESMON_A_RTT_THRESHOLD_US] = {
		"threshold-us", ATTR_U32
	},
	[RESMON_A_RTT_COUNT] = {
		"count", ATTR_U32
	},
	[RESMON_A_RTT_LAW] = {
		"law", ATTR_U32, .names = &names_law
	},
	[RESMON_A_RTT_STEP] = {
		"step", ATTR_U32
	},
	[RESMON_A_RTT_MAX_PCT] = {
		"max-pct", ATTR_U32
	},
	[RESMON_A_RTT_SILENT_MAX] = {
		"silent-max", ATTR_U32
	},
	[RESMON_A_RTT_LIFETIME] = {
		"lifetime", ATTR_U32
	},
	[RESMON_A_RTT_RECOVERY] = {
		"recovery", ATTR_U32, .names = &names_recovery
	},
	[RESMON_A_RTT_HOLD] = {
		"hold", ATTR_U32
	},
	[RESMON_A_RTT_BACK] = {
		"back", ATTR_U32
	},
	[RESMON_A_RTT_SELECT] = {
		"select", ATTR_U32, .names = &names_select
	},
	[RESMON_A_RTT_EPOCH] = {
		"epoch", ATTR_U32
	},
	[RESMON_A_RTT_THROTTLE] = {
		"throttle", ATTR_U32
	},
	[RESMON_A_RTT_ALLOWED] = {
		"allowed", ATTR_U32
	},
	[RESMON_A_RTT_RTT_US] = {
		"rtt-us", ATTR_U32
	},
	[RESMON_A_RTT_AVG_US] = {
		"avg-us", ATTR_U32
	},
	[RESMON_A_RTT_AVG_N] = {
		"avg-n", ATTR_U32
	},
	[RESMON_A_RTT_EXCEEDED] = {
		"exceeded", ATTR_U32
	},
	[RESMON_A_RTT_CONSECUTIVE] = {
		"consecutive", ATTR_U32
	},
	[RESMON_A_RTT_MEASURED] = {
		"measured", ATTR_U64
	},
	[RESMON_A_RTT_OVER] = {
		"over", ATTR_U64
	},
	[RESMON_A_RTT_UNANSWERED] = {
		"unanswered", ATTR_U64
	},
	[RESMON_A_RTT_RAISED] = {
		"raised", ATTR_U64
	},
	[RESMON_A_RTT_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_rtt = {
	"rtt", rtt_attrs, RESMON_A_RTT_MAX
};

static const struct attr echo_attrs[] = {
	[RESMON_A_ECHO_DEVICE] = {
		"device", ATTR_U32
	},
	[RESMON_A_ECHO_ENGINE] = {
		"engine", ATTR_U32, .names = &names_engine
	},
	[RESMON_A_ECHO_INTERVAL_MS] = {
		"interval-ms", ATTR_U32
	},
	[RESMON_A_ECHO_AGENT] = {
		"agent", ATTR_U32
	},
	[RESMON_A_ECHO_SENT] = {
		"sent", ATTR_U64
	},
	[RESMON_A_ECHO_ANSWERED] = {
		"answered", ATTR_U64
	},
	[RESMON_A_ECHO_LOST] = {
		"lost", ATTR_U64
	},
	[RESMON_A_ECHO_LATE] = {
		"late", ATTR_U64
	},
	[RESMON_A_ECHO_UNKNOWN] = {
		"unknown", ATTR_U64
	},
	[RESMON_A_ECHO_FOREIGN] = {
		"foreign", ATTR_U64
	},
	[RESMON_A_ECHO_SEQ] = {
		"seq", ATTR_U32
	},
	[RESMON_A_ECHO_TIME_NS] = {
		"time-ns", ATTR_U64
	},
	[RESMON_A_ECHO_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_echo = {
	"echo", echo_attrs, RESMON_A_ECHO_MAX
};

static const struct attr session_attrs[] = {
	[RESMON_A_SESSION_ID] = {
		"id", ATTR_U32
	},
	[RESMON_A_SESSION_TARGET] = {
		"target", ATTR_NEST, .set = &set_target
	},
	[RESMON_A_SESSION_TYPE] = {
		"type", ATTR_U32, .names = &names_type
	},
	[RESMON_A_SESSION_KIND] = {
		"kind", ATTR_U32, .names = &names_kind
	},
	[RESMON_A_SESSION_STATE] = {
		"state", ATTR_U32, .names = &names_state
	},
	[RESMON_A_SESSION_KEY] = {
		"key", ATTR_BINARY
	},
	[RESMON_A_SESSION_VLAN_OUTER] = {
		"vlan-outer", ATTR_U32
	},
	[RESMON_A_SESSION_VLAN_INNER] = {
		"vlan-inner", ATTR_U32
	},
	[RESMON_A_SESSION_ON_ID] = {
		"on-id", ATTR_U32
	},
	[RESMON_A_SESSION_AGE] = {
		"age", ATTR_U32
	},
	[RESMON_A_SESSION_EXPIRES] = {
		"expires", ATTR_U32
	},
	[RESMON_A_SESSION_OWNER_ID] = {
		"owner-id", ATTR_U32
	},
	[RESMON_A_SESSION_COUNT] = {
		"count", ATTR_U32
	},
	[RESMON_A_SESSION_COUNT_STARTING] = {
		"count-starting", ATTR_U32
	},
};

const struct attr_set set_session = {
	"session", session_attrs, RESMON_A_SESSION_MAX
};

static const struct attr batch_attrs[] = {
	[RESMON_A_BATCH_REQUEST] = {
		"request", ATTR_NEST, .set = &set_request, .multi = true
	},
	[RESMON_A_BATCH_ANSWER] = {
		"answer", ATTR_NEST, .set = &set_answer, .multi = true
	},
};

const struct attr_set set_batch = {
	"batch", batch_attrs, RESMON_A_BATCH_MAX
};

static const struct attr request_attrs[] = {
	[RESMON_A_REQUEST_ID] = {
		"id", ATTR_U32
	},
	[RESMON_A_REQUEST_TARGET] = {
		"target", ATTR_NEST, .set = &set_target
	},
	[RESMON_A_REQUEST_TYPE] = {
		"type", ATTR_U32, .names = &names_type
	},
	[RESMON_A_REQUEST_KIND] = {
		"kind", ATTR_U32, .names = &names_kind
	},
	[RESMON_A_REQUEST_KEY] = {
		"key", ATTR_BINARY
	},
	[RESMON_A_REQUEST_VLAN_OUTER] = {
		"vlan-outer", ATTR_U32
	},
	[RESMON_A_REQUEST_VLAN_INNER] = {
		"vlan-inner", ATTR_U32
	},
	[RESMON_A_REQUEST_ON_ID] = {
		"on-id", ATTR_U32
	},
	[RESMON_A_REQUEST_ACTIVE] = {
		"active", ATTR_FLAG
	},
	[RESMON_A_REQUEST_PRIORITY] = {
		"priority", ATTR_FLAG
	},
	[RESMON_A_REQUEST_OWNER] = {
		"owner", ATTR_FLAG
	},
	[RESMON_A_REQUEST_QUEUES] = {
		"queues", ATTR_FLAG
	},
	[RESMON_A_REQUEST_ALL] = {
		"all", ATTR_FLAG
	},
	[RESMON_A_REQUEST_LOGIN] = {
		"login", ATTR_U32, .names = &names_login
	},
	[RESMON_A_REQUEST_MAC] = {
		"mac", ATTR_BINARY
	},
	[RESMON_A_REQUEST_PPPOE_ID] = {
		"pppoe-id", ATTR_U32
	},
	[RESMON_A_REQUEST_CIRCUIT] = {
		"circuit", ATTR_BINARY
	},
	[RESMON_A_REQUEST_DUID] = {
		"duid", ATTR_BINARY
	},
	[RESMON_A_REQUEST_IAID] = {
		"iaid", ATTR_U32
	},
	[RESMON_A_REQUEST_PREFIX] = {
		"prefix", ATTR_FLAG
	},
	[RESMON_A_REQUEST_LEASE] = {
		"lease", ATTR_U32
	},
};

const struct attr_set set_request = {
	"request", request_attrs, RESMON_A_REQUEST_MAX
};

static const struct attr answer_attrs[] = {
	[RESMON_A_ANSWER_INDEX] = {
		"index", ATTR_U32
	},
	[RESMON_A_ANSWER_ERROR] = {
		"error", ATTR_S32
	},
	[RESMON_A_ANSWER_MESSAGE] = {
		"message", ATTR_STRING
	},
	[RESMON_A_ANSWER_BAD_ATTR] = {
		"bad-attr", ATTR_U32
	},
	[RESMON_A_ANSWER_VERDICT] = {
		"verdict", ATTR_U32, .names = &names_verdict
	},
	[RESMON_A_ANSWER_CAUSE] = {
		"cause", ATTR_U32, .names = &names_cause
	},
	[RESMON_A_ANSWER_TARGET] = {
		"target", ATTR_NEST, .set = &set_target
	},
	[RESMON_A_ANSWER_ID] = {
		"id", ATTR_U32
	},
	[RESMON_A_ANSWER_SAME] = {
		"same", ATTR_U32
	},
	[RESMON_A_ANSWER_RETRY_MS] = {
		"retry-ms", ATTR_U32
	},
	[RESMON_A_ANSWER_RELEASED] = {
		"released", ATTR_U32
	},
};

const struct attr_set set_answer = {
	"answer", answer_attrs, RESMON_A_ANSWER_MAX
};

static const struct attr timeout_attrs[] = {
	[RESMON_A_TIMEOUT_STARTING] = {
		"starting", ATTR_U32
	},
	[RESMON_A_TIMEOUT_IDLE] = {
		"idle", ATTR_U32
	},
	[RESMON_A_TIMEOUT_TICKET] = {
		"ticket", ATTR_U32
	},
};

const struct attr_set set_timeout = {
	"timeout", timeout_attrs, RESMON_A_TIMEOUT_MAX
};

static const struct attr why_attrs[] = {
	[RESMON_A_WHY_TIME] = {
		"time", ATTR_U64
	},
	[RESMON_A_WHY_PLACE] = {
		"place", ATTR_NEST, .set = &set_target
	},
	[RESMON_A_WHY_REFUSER] = {
		"refuser", ATTR_NEST, .set = &set_target
	},
	[RESMON_A_WHY_CAUSE] = {
		"cause", ATTR_U32, .names = &names_cause
	},
	[RESMON_A_WHY_TYPE] = {
		"type", ATTR_U32, .names = &names_type
	},
	[RESMON_A_WHY_KIND] = {
		"kind", ATTR_U32, .names = &names_kind
	},
	[RESMON_A_WHY_KEY] = {
		"key", ATTR_BINARY
	},
	[RESMON_A_WHY_VLAN_OUTER] = {
		"vlan-outer", ATTR_U32
	},
	[RESMON_A_WHY_VLAN_INNER] = {
		"vlan-inner", ATTR_U32
	},
	[RESMON_A_WHY_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_why = {
	"why", why_attrs, RESMON_A_WHY_MAX
};

static const struct attr stats_attrs[] = {
	[RESMON_A_STATS_TARGET] = {
		"target", ATTR_NEST, .set = &set_target
	},
	[RESMON_A_STATS_ROW] = {
		"row", ATTR_NEST, .set = &set_stats_row, .multi = true
	},
	[RESMON_A_STATS_CHARGED] = {
		"charged", ATTR_U64
	},
	[RESMON_A_STATS_SAME] = {
		"same", ATTR_U64
	},
	[RESMON_A_STATS_REFUSED_COMMITS] = {
		"refused-commits", ATTR_U64
	},
	[RESMON_A_STATS_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_stats = {
	"stats", stats_attrs, RESMON_A_STATS_MAX
};

static const struct attr stats_row_attrs[] = {
	[RESMON_A_STATS_ROW_TYPE] = {
		"type", ATTR_U32, .names = &names_type
	},
	[RESMON_A_STATS_ROW_KIND] = {
		"kind", ATTR_U32, .names = &names_kind
	},
	[RESMON_A_STATS_ROW_REQUESTS] = {
		"requests", ATTR_U64
	},
	[RESMON_A_STATS_ROW_ADMITTED] = {
		"admitted", ATTR_U64
	},
	[RESMON_A_STATS_ROW_WAITING] = {
		"waiting", ATTR_U64
	},
	[RESMON_A_STATS_ROW_DUPLICATE] = {
		"duplicate", ATTR_U64
	},
	[RESMON_A_STATS_ROW_DENIED] = {
		"denied", ATTR_NEST, .set = &set_stats_cause, .multi = true
	},
	[RESMON_A_STATS_ROW_REFUSED] = {
		"refused", ATTR_NEST, .set = &set_stats_cause, .multi = true
	},
	[RESMON_A_STATS_ROW_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_stats_row = {
	"stats-row", stats_row_attrs, RESMON_A_STATS_ROW_MAX
};

static const struct attr stats_cause_attrs[] = {
	[RESMON_A_STATS_CAUSE_CAUSE] = {
		"cause", ATTR_U32, .names = &names_cause
	},
	[RESMON_A_STATS_CAUSE_COUNT] = {
		"count", ATTR_U64
	},
	[RESMON_A_STATS_CAUSE_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_stats_cause = {
	"stats-cause", stats_cause_attrs, RESMON_A_STATS_CAUSE_MAX
};

static const struct attr event_attrs[] = {
	[RESMON_A_EVENT_TYPE] = {
		"type", ATTR_U32, .names = &names_event_type
	},
	[RESMON_A_EVENT_TIME] = {
		"time", ATTR_U64
	},
	[RESMON_A_EVENT_TARGET] = {
		"target", ATTR_NEST, .set = &set_target
	},
	[RESMON_A_EVENT_CLIENT_TYPE] = {
		"client-type", ATTR_U32, .names = &names_type
	},
	[RESMON_A_EVENT_KIND] = {
		"kind", ATTR_U32, .names = &names_kind
	},
	[RESMON_A_EVENT_CAUSE] = {
		"cause", ATTR_U32, .names = &names_cause
	},
	[RESMON_A_EVENT_REFUSER] = {
		"refuser", ATTR_NEST, .set = &set_target
	},
	[RESMON_A_EVENT_REGION] = {
		"region", ATTR_U32, .names = &names_region_kind
	},
	[RESMON_A_EVENT_PFE] = {
		"pfe", ATTR_U32
	},
	[RESMON_A_EVENT_VALUE] = {
		"value", ATTR_U32
	},
	[RESMON_A_EVENT_MARK] = {
		"mark", ATTR_U32
	},
	[RESMON_A_EVENT_RTT_US] = {
		"rtt-us", ATTR_U32
	},
	[RESMON_A_EVENT_SUPPRESSED] = {
		"suppressed", ATTR_U32
	},
	[RESMON_A_EVENT_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_event = {
	"event", event_attrs, RESMON_A_EVENT_MAX
};

static const struct attr enforce_attrs[] = {
	[RESMON_A_ENFORCE_TARGET] = {
		"target", ATTR_NEST, .set = &set_target
	},
	[RESMON_A_ENFORCE_PPPOE] = {
		"pppoe", ATTR_U32, .names = &names_action
	},
	[RESMON_A_ENFORCE_DHCP4] = {
		"dhcp4", ATTR_U32, .names = &names_action
	},
	[RESMON_A_ENFORCE_DHCP6] = {
		"dhcp6", ATTR_U32, .names = &names_action
	},
	[RESMON_A_ENFORCE_L2TP] = {
		"l2tp", ATTR_U32, .names = &names_action
	},
	[RESMON_A_ENFORCE_MODE] = {
		"mode", ATTR_U32, .names = &names_enforce_mode
	},
	[RESMON_A_ENFORCE_KEY] = {
		"key", ATTR_U32, .names = &names_identity
	},
	[RESMON_A_ENFORCE_DUAL_STACK] = {
		"dual-stack", ATTR_U32
	},
	[RESMON_A_ENFORCE_SILENCE] = {
		"silence", ATTR_U32
	},
	[RESMON_A_ENFORCE_PRIORITY] = {
		"priority", ATTR_U32, .names = &names_priority
	},
	[RESMON_A_ENFORCE_VALUE] = {
		"value", ATTR_BINARY
	},
	[RESMON_A_ENFORCE_MALFORMED] = {
		"malformed", ATTR_U64
	},
	[RESMON_A_ENFORCE_DROPPED] = {
		"dropped", ATTR_U64
	},
	[RESMON_A_ENFORCE_REJECTED] = {
		"rejected", ATTR_U64
	},
	[RESMON_A_ENFORCE_OBSERVED] = {
		"observed", ATTR_U64
	},
	[RESMON_A_ENFORCE_UNENFORCED] = {
		"unenforced", ATTR_U64
	},
	[RESMON_A_ENFORCE_ROGUE] = {
		"rogue", ATTR_U64
	},
	[RESMON_A_ENFORCE_FORGED] = {
		"forged", ATTR_U64
	},
	[RESMON_A_ENFORCE_FOREIGN] = {
		"foreign", ATTR_U64
	},
	[RESMON_A_ENFORCE_ADOPTED] = {
		"adopted", ATTR_U64
	},
	[RESMON_A_ENFORCE_GHOST] = {
		"ghost", ATTR_U64
	},
	[RESMON_A_ENFORCE_EVICTED] = {
		"evicted", ATTR_U64
	},
	[RESMON_A_ENFORCE_FULL] = {
		"full", ATTR_U64
	},
	[RESMON_A_ENFORCE_ATTACHED] = {
		"attached", ATTR_U32
	},
	[RESMON_A_ENFORCE_FLIGHTS] = {
		"flights", ATTR_U32
	},
	[RESMON_A_ENFORCE_FLIGHT_MAX] = {
		"flight-max", ATTR_U32
	},
	[RESMON_A_ENFORCE_SUSPECTS] = {
		"suspects", ATTR_U32
	},
	[RESMON_A_ENFORCE_OFFER_MS] = {
		"offer-ms", ATTR_U32
	},
	[RESMON_A_ENFORCE_SETUP_MS] = {
		"setup-ms", ATTR_U32
	},
	[RESMON_A_ENFORCE_PAD] = {
		"pad", ATTR_PAD
	},
};

const struct attr_set set_enforce = {
	"enforce", enforce_attrs, RESMON_A_ENFORCE_MAX
};

const struct op ops[] = {
	[RESMON_CMD_CHASSIS_GET] = {
		"chassis-get", &set_chassis
	},
	[RESMON_CMD_CHASSIS_SET] = {
		"chassis-set", &set_chassis
	},
	[RESMON_CMD_CHASSIS_NTF] = {
		"chassis-ntf", &set_chassis
	},
	[RESMON_CMD_DEVICE_GET] = {
		"device-get", &set_device
	},
	[RESMON_CMD_DEVICE_NEW] = {
		"device-new", &set_device
	},
	[RESMON_CMD_DEVICE_DEL] = {
		"device-del", &set_device
	},
	[RESMON_CMD_DEVICE_NTF] = {
		"device-ntf", &set_device
	},
	[RESMON_CMD_DEVICE_DEL_NTF] = {
		"device-del-ntf", &set_device
	},
	[RESMON_CMD_MIC_GET] = {
		"mic-get", &set_mic
	},
	[RESMON_CMD_MIC_NEW] = {
		"mic-new", &set_mic
	},
	[RESMON_CMD_MIC_DEL] = {
		"mic-del", &set_mic
	},
	[RESMON_CMD_MIC_NTF] = {
		"mic-ntf", &set_mic
	},
	[RESMON_CMD_MIC_DEL_NTF] = {
		"mic-del-ntf", &set_mic
	},
	[RESMON_CMD_PORT_GET] = {
		"port-get", &set_port
	},
	[RESMON_CMD_PORT_NEW] = {
		"port-new", &set_port
	},
	[RESMON_CMD_PORT_DEL] = {
		"port-del", &set_port
	},
	[RESMON_CMD_PORT_NTF] = {
		"port-ntf", &set_port
	},
	[RESMON_CMD_PORT_DEL_NTF] = {
		"port-del-ntf", &set_port
	},
	[RESMON_CMD_LAG_GET] = {
		"lag-get", &set_lag
	},
	[RESMON_CMD_LAG_NTF] = {
		"lag-ntf", &set_lag
	},
	[RESMON_CMD_LAG_DEL_NTF] = {
		"lag-del-ntf", &set_lag
	},
	[RESMON_CMD_LIMIT_GET] = {
		"limit-get", &set_limit
	},
	[RESMON_CMD_LIMIT_SET] = {
		"limit-set", &set_limit
	},
	[RESMON_CMD_LIMIT_DEL] = {
		"limit-del", &set_limit
	},
	[RESMON_CMD_LIMIT_NTF] = {
		"limit-ntf", &set_limit
	},
	[RESMON_CMD_DRAIN_GET] = {
		"drain-get", &set_drain
	},
	[RESMON_CMD_DRAIN_SET] = {
		"drain-set", &set_drain
	},
	[RESMON_CMD_DRAIN_NTF] = {
		"drain-ntf", &set_drain
	},
	[RESMON_CMD_WATERMARK_GET] = {
		"watermark-get", &set_watermark
	},
	[RESMON_CMD_WATERMARK_SET] = {
		"watermark-set", &set_watermark
	},
	[RESMON_CMD_WATERMARK_NTF] = {
		"watermark-ntf", &set_watermark
	},
	[RESMON_CMD_REGION_GET] = {
		"region-get", &set_region
	},
	[RESMON_CMD_REGION_REPORT] = {
		"region-report", &set_region
	},
	[RESMON_CMD_RTT_GET] = {
		"rtt-get", &set_rtt
	},
	[RESMON_CMD_RTT_SET] = {
		"rtt-set", &set_rtt
	},
	[RESMON_CMD_RTT_RESET] = {
		"rtt-reset", &set_rtt
	},
	[RESMON_CMD_RTT_NTF] = {
		"rtt-ntf", &set_rtt
	},
	[RESMON_CMD_ECHO_GET] = {
		"echo-get", &set_echo
	},
	[RESMON_CMD_ECHO_SET] = {
		"echo-set", &set_echo
	},
	[RESMON_CMD_ECHO_NTF] = {
		"echo-ntf", &set_echo
	},
	[RESMON_CMD_ECHO_REGISTER] = {
		"echo-register", &set_echo
	},
	[RESMON_CMD_ECHO_PROBE] = {
		"echo-probe", &set_echo
	},
	[RESMON_CMD_ECHO_REPLY] = {
		"echo-reply", &set_echo
	},
	[RESMON_CMD_SESSION_GET] = {
		"session-get", &set_session
	},
	[RESMON_CMD_SESSION_ADMIT] = {
		"session-admit", &set_batch
	},
	[RESMON_CMD_SESSION_ACTIVATE] = {
		"session-activate", &set_batch
	},
	[RESMON_CMD_SESSION_RELEASE] = {
		"session-release", &set_batch
	},
	[RESMON_CMD_SESSION_COUNT] = {
		"session-count", &set_session
	},
	[RESMON_CMD_TIMEOUT_GET] = {
		"timeout-get", &set_timeout
	},
	[RESMON_CMD_TIMEOUT_SET] = {
		"timeout-set", &set_timeout
	},
	[RESMON_CMD_TIMEOUT_NTF] = {
		"timeout-ntf", &set_timeout
	},
	[RESMON_CMD_WHY_GET] = {
		"why-get", &set_why
	},
	[RESMON_CMD_STATS_GET] = {
		"stats-get", &set_stats
	},
	[RESMON_CMD_STATS_CLEAR] = {
		"stats-clear", &set_stats
	},
	[RESMON_CMD_STATS_NTF] = {
		"stats-ntf", &set_stats
	},
	[RESMON_CMD_EVENT] = {
		"event", &set_event
	},
	[RESMON_CMD_ENFORCE_GET] = {
		"enforce-get", &set_enforce
	},
	[RESMON_CMD_ENFORCE_SET] = {
		"enforce-set", &set_enforce
	},
	[RESMON_CMD_ENFORCE_NTF] = {
		"enforce-ntf", &set_enforce
	},
	[RESMON_CMD_SESSION_IMPORT] = {
		"session-import", &set_batch
	},
};

const unsigned int ops_max = RESMON_CMD_MAX;
