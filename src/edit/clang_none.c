/*
 * clang_none.c - no libclang: plumb was built without its header.
 *
 * In the place of clang.c, edit_ast.c and edit_call.c.  plumb fix asks fix_ready() before
 * anything else, so that nobody gets further than that.
 */
#include "edit/priv.h"
#include "edit/edit.h"

#include "base/error.h"
#include "config.h"

int fix_ready(void)
{
	return error_set("this plumb was built without libclang, which is needed to edit C source "
			 "(install libclang-" PLUMB_LLVM "-dev and build it again)");
}

int ast_parse(struct ast **out, const struct unit *u)
{
	(void)out;
	(void)u;
	return fix_ready();
}

void ast_free(struct ast *a)
{
	assert(!a);
	(void)a;
}

const char *ast_error(struct ast *a)
{
	(void)a;
	return NULL;
}

struct ast_func *ast_func(struct ast *a, const char *file, const char *name, uint32_t line)
{
	(void)a;
	(void)file;
	(void)name;
	(void)line;
	return NULL;
}

bool ast_declared(const struct ast *a, const struct ast_func *f, const char *name)
{
	(void)a;
	(void)f;
	(void)name;
	return false;
}

const struct st_decl *ast_visible(const struct ast_func *f, const struct st *s, bool before, const char *name)
{
	(void)f;
	(void)s;
	(void)before;
	(void)name;
	return NULL;
}

bool ast_is_call(struct ast *a, const struct ast_func *f, uint32_t line, uint32_t col, const char *callee)
{
	(void)a;
	(void)f;
	(void)line;
	(void)col;
	(void)callee;
	return false;
}

int ast_call(struct ast *a, const struct ast_func *f, uint32_t line, uint32_t col,
	     const char *callee, struct call_text *out)
{
	(void)a;
	(void)f;
	(void)line;
	(void)col;
	(void)callee;
	(void)out;
	return fix_ready();
}

uint32_t ast_offset(const struct ast_file *f, uint32_t line, uint32_t col)
{
	(void)f;
	(void)line;
	(void)col;
	return UINT32_MAX;
}

void ast_position(const struct ast_file *f, uint32_t offset, uint32_t *line, uint32_t *col)
{
	(void)f;
	(void)offset;
	*line = *col = 0;
}
