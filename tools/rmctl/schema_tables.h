/* SPDX-License-Identifier: GPL-2.0-only */
/* Made by schema.py from Documentation/netlink/specs/resmon.yaml, do not edit. */

extern const struct names names_type;
extern const struct names names_kind;
extern const struct names names_state;
extern const struct names names_element_kind;
extern const struct names names_verdict;
extern const struct names names_cause;
extern const struct names names_on_error;
extern const struct names names_region_kind;
extern const struct names names_law;
extern const struct names names_recovery;
extern const struct names names_select;
extern const struct names names_engine;
extern const struct names names_login;
extern const struct names names_action;
extern const struct names names_enforce_mode;
extern const struct names names_identity;
extern const struct names names_priority;
extern const struct names names_event_type;

extern const struct attr_set set_target;
extern const struct attr_set set_chassis;
extern const struct attr_set set_device;
extern const struct attr_set set_mic;
extern const struct attr_set set_port;
extern const struct attr_set set_lag;
extern const struct attr_set set_leg;
extern const struct attr_set set_limit;
extern const struct attr_set set_drain;
extern const struct attr_set set_watermark;
extern const struct attr_set set_region;
extern const struct attr_set set_rtt;
extern const struct attr_set set_echo;
extern const struct attr_set set_session;
extern const struct attr_set set_batch;
extern const struct attr_set set_request;
extern const struct attr_set set_answer;
extern const struct attr_set set_timeout;
extern const struct attr_set set_why;
extern const struct attr_set set_stats;
extern const struct attr_set set_stats_row;
extern const struct attr_set set_stats_cause;
extern const struct attr_set set_event;
extern const struct attr_set set_enforce;
