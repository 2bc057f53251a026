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

void copy_failures(struct findings *fs, const struct front_result *r)
{
	fs->units_analysed = r->analysed;
	for (uint32_t i = 0; i < r->failed.n; i++) {
		struct finding_failure f = {
			arena_strdup(&fs->arena, r->failed.v[i].file),
			arena_strdup(&fs->arena, r->failed.v[i].error),
		};

		vec_push(&fs->failed, f);
	}
}

void command_line(struct sbuf *out, int argc, char **argv)
{
	sbuf_adds(out, "plumb");
	for (int i = 0; i < argc; i++)
		sbuf_printf(out, " %s", argv[i]);
}
