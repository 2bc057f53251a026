/* u_front_compdb.c - compilation databases. */
#include "unit.h"

#include "base/error.h"
#include "base/sbuf.h"
#include "front/compdb.h"

/* "dir|path|flag|flag;" for each unit, "!file" for a bad entry, then counts. */
static void check_db(const char *text, const char *want)
{
	struct sbuf b = {0};
	struct compdb db;

	if (compdb_parse(&db, text, strlen(text), "db", "/base") < 0) {
		sbuf_adds(&b, error_last());
	} else {
		for (uint32_t i = 0; i < db.units.n; i++) {
			const struct unit *u = &db.units.v[i];

			sbuf_printf(&b, "%s|%s", u->dir, u->path);
			for (uint32_t k = 0; k < u->flags.n; k++)
				sbuf_printf(&b, "|%s", u->flags.v[k]);
			sbuf_adds(&b, ";");
		}
		for (uint32_t i = 0; i < db.bad.n; i++)
			sbuf_printf(&b, "!%s;", db.bad.v[i].file);
		sbuf_printf(&b, "%u %u", db.skipped, db.duplicates);
	}
	CHECK_EQ_STR(sbuf_str(&b), want);
	compdb_release(&db);
	sbuf_release(&b);
}

#define ENTRY(dir, file, rest) "{\"directory\":\"" dir "\",\"file\":\"" file "\"," rest "}"

TEST(both_forms)
{
	check_db("[]", "0 0");
	check_db("[" ENTRY("/x", "a.c", "\"command\":\"gcc -O2 -DA='b c' -c a.c -o a.o\"") "]",
		 "/x|a.c|-DA=b c;0 0");
	check_db("[" ENTRY("/x", "a.c", "\"arguments\":[\"gcc\",\"-DA=b c\",\"-c\",\"a.c\"]") "]",
		 "/x|a.c|-DA=b c;0 0");
	check_db("[" ENTRY("/x", "/y/a.c", "\"command\":\"gcc -c ../y/a.c\"") "]", "/x|../y/a.c;0 0");
}

TEST(folders)
{
	check_db("[" ENTRY("sub/../b", "a.c", "\"command\":\"gcc -c a.c\"") "]", "/base/b|a.c;0 0");
	check_db("[{\"file\":\"a.c\",\"command\":\"gcc -c a.c\"}]", "/base|a.c;0 0");
}

TEST(duplicates)
{
	check_db("[" ENTRY("/x", "a.c", "\"command\":\"gcc -c a.c\"") ","
		 ENTRY("/x", "/x/a.c", "\"command\":\"gcc -O2 -c ./a.c -o b.o\"") ","
		 ENTRY("/x", "a.c", "\"command\":\"gcc -DPIC -c a.c\"") "]",
		 "/x|a.c;/x|a.c|-DPIC;0 1");
}

TEST(other_languages)
{
	check_db("[" ENTRY("/x", "a.cpp", "\"command\":\"g++ -c a.cpp\"") ","
		 ENTRY("/x", "a.S", "\"command\":\"gcc -c a.S\"") ","
		 ENTRY("/x", "a.c", "\"command\":\"g++ -x c++ -c a.c\"") ","
		 ENTRY("/x", "b.c", "\"command\":\"gcc -E b.c\"") ","
		 ENTRY("/x", "c.c", "\"command\":\"gcc -c c.c\"") "]",
		 "/x|c.c;4 0");
	check_db("[" ENTRY("/x", "a.txt", "\"command\":\"gcc -x c -c a.txt\"") "]", "/x|a.txt;0 0");
}

TEST(several_sources_of_one_command)
{
	check_db("[" ENTRY("/x", "a.c", "\"command\":\"gcc a.c b.c -o p\"") ","
		 ENTRY("/x", "b.c", "\"command\":\"gcc a.c b.c -o p\"") "]", "/x|a.c;/x|b.c;0 0");
}

TEST(wrappers)
{
	check_db("[" ENTRY("/x", "a.c", "\"command\":\"plumb cc -DA -c a.c\"") ","
		 ENTRY("/x", "b.c", "\"command\":\"ccache arm-linux-gnueabi-gcc -c b.c\"") ","
		 ENTRY("/x", "c.c", "\"command\":\"my-wrapper\"") "]",
		 "/x|a.c|-DA;/x|b.c|--target=arm-linux-gnueabi;/x|c.c;0 0");
}

TEST(bad_entries)
{
	check_db("[" ENTRY("/x", "a.c", "\"output\":\"a.o\"") "]", "!/x/a.c;0 0");
	check_db("[{}]", "!entry 1 of the database;0 0");
	check_db("[" ENTRY("/x", "a.c", "\"arguments\":[1,null]") "]", "!/x/a.c;0 0");
}

TEST(not_a_database)
{
	check_db("{}", "db: not a compilation database: an array of objects is expected");
	check_db("[{},3]", "db: not a compilation database: entry 2 is no object");
	check_db("", "db:1:0: '[' or '{' expected near end of file");
}
