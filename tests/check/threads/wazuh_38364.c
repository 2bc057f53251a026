// wazuh/wazuh 38364: a connection to the system bus, which GIO counts references of, was never given
// back.
#include <stddef.h>

typedef struct _GDBusConnection GDBusConnection;
typedef struct _GVariant GVariant;
typedef struct _GVariantType GVariantType;
typedef struct _GCancellable GCancellable;
typedef struct _GError GError;

GDBusConnection *g_bus_get_sync(int type, GCancellable *c, GError **error);
GVariant *g_dbus_connection_call_sync(GDBusConnection *c, const char *bus, const char *path,
				      const char *interface, const char *method, GVariant *parameters,
				      const GVariantType *reply, int flags, int timeout,
				      GCancellable *cancellable, GError **error);
unsigned long g_variant_n_children(GVariant *v);
void g_variant_unref(GVariant *v);
void g_object_unref(void *object);
void g_error_free(GError *error);

static GVariant *ask(GDBusConnection *bus, GError **error)
{
	return g_dbus_connection_call_sync(bus, "org.a", "/org/a", "org.a.B", "List", NULL, NULL, 0, -1,
					   NULL, error);
}

long units_ok(void)
{
	GError *error = NULL;
	GDBusConnection *bus = g_bus_get_sync(1, NULL, &error);
	GVariant *reply;
	long n;

	if (!bus) {
		g_error_free(error);
		return -1;
	}
	reply = ask(bus, &error);
	g_object_unref(bus);
	if (!reply) {
		g_error_free(error);
		return -1;
	}
	n = (long)g_variant_n_children(reply);
	g_variant_unref(reply);
	return n;
}

long connection_bad(void)
{
	GError *error = NULL;
	GDBusConnection *bus = g_bus_get_sync(1, NULL, &error); // FN: LEAK(never-freed)
	GVariant *reply;
	long n;

	if (!bus) {
		g_error_free(error);
		return -1;
	}
	reply = ask(bus, &error);
	if (!reply) {
		g_error_free(error);
		return -1;
	}
	n = (long)g_variant_n_children(reply);
	g_variant_unref(reply);
	return n;
}

static GVariant *ask_bad(GDBusConnection *bus, GError **error)
{
	GVariant *v;

	v = g_dbus_connection_call_sync(bus, "org.a", "/org/a", // FN: LEAK@reply // FN: LEAK@error
					"org.a.B", "List", NULL, NULL, 0, -1, NULL, error);
	return v;
}

long reply_and_error_bad(void)
{
	GError *error = NULL;
	GDBusConnection *bus = g_bus_get_sync(1, NULL, NULL);
	GVariant *reply;
	long n;

	if (!bus)
		return -1;
	reply = ask_bad(bus, &error); // FN: LEAK@reply // FN: LEAK@error
	g_object_unref(bus);
	if (!reply)
		return -1;
	n = (long)g_variant_n_children(reply);
	return n;
}
