/*
 * output.c - findings, to a file or standard output, in the form that was asked for.
 */
#include "cli/cli.h"

#include "base/diag.h"
#include "base/file.h"
#include "base/sbuf.h"

#include <sys/ioctl.h>
#include <unistd.h>

int write_findings(struct findings *fs, enum report_format fmt, const char *output, bool show_suppressed,
		   const char *command_line)
{
	struct winsize ws = {0};
	struct fileout out = {0};
	struct report_options o = {
		.color = str_eq(output, "-") && diag_color(STDOUT_FILENO),
		.show_suppressed = show_suppressed,
		.command_line = command_line,
	};
	int ret;

	if (o.color && ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0)
		o.width = ws.ws_col;
	if ((ret = fileout_open(&out, output)) < 0)
		return ret;
	if ((ret = report_write(fs, fmt, out.f, &o)) == 0)
		ret = fileout_commit(&out);
	fileout_abort(&out);
	return ret;
}

void keep_named(struct findings *fs, int others, const char *compdb)
{
	findings_drop_elsewhere(fs);
	if (others)
		diag_note("%d finding%s that do%s not concern the files named: plumb check -p %s reports all",
			  others, others == 1 ? "" : "s", others == 1 ? "es" : "", compdb);
}

bool is_partial(const struct coverage *c, bool strict)
{
	struct sbuf b = {0};
	bool partial;

	if (c->units_left_out.n)
		sbuf_printf(&b, "%u unit%s left out",
			    c->units_left_out.n, c->units_left_out.n == 1 ? " was" : "s were");
	if (coverage_is_thin(c))
		sbuf_printf(&b, "%s%u of %u allocations were cut, more than one in twenty",
			    b.n ? ", and " : "", c->cut, c->allocations);
	else if (strict && c->judged < c->allocations)
		sbuf_printf(&b, "%s%u of %u allocations were not judged (--strict)",
			    b.n ? ", and " : "", c->allocations - c->judged,
			    c->allocations);
	partial = b.n > 0;
	if (partial)
		diag_note("exit code 3: %s", sbuf_str(&b));
	sbuf_release(&b);
	return partial;
}

void command_line(struct sbuf *out, int argc, char **argv)
{
	sbuf_adds(out, "plumb");
	for (int i = 0; i < argc; i++)
		sbuf_printf(out, " %s", argv[i]);
}
