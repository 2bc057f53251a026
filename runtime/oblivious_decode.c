/*
 * oblivious_decode.c - what an instruction does to memory.  Only here: Zydis.
 */
#include "oblivious.h"

#include <Zydis/Zydis.h>
#include <string.h>
#include <ucontext.h>

static ZydisDecoder decoder;

void oblivious_decode_init(void)
{
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

/* Index in gregs of the 64-bit register that reg is part of; -1 if it is none. */
static int greg_of(ZydisRegister reg)
{
	switch (ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg)) {
	case ZYDIS_REGISTER_RAX: return REG_RAX;
	case ZYDIS_REGISTER_RBX: return REG_RBX;
	case ZYDIS_REGISTER_RCX: return REG_RCX;
	case ZYDIS_REGISTER_RDX: return REG_RDX;
	case ZYDIS_REGISTER_RSI: return REG_RSI;
	case ZYDIS_REGISTER_RDI: return REG_RDI;
	case ZYDIS_REGISTER_RBP: return REG_RBP;
	case ZYDIS_REGISTER_RSP: return REG_RSP;
	case ZYDIS_REGISTER_R8: return REG_R8;
	case ZYDIS_REGISTER_R9: return REG_R9;
	case ZYDIS_REGISTER_R10: return REG_R10;
	case ZYDIS_REGISTER_R11: return REG_R11;
	case ZYDIS_REGISTER_R12: return REG_R12;
	case ZYDIS_REGISTER_R13: return REG_R13;
	case ZYDIS_REGISTER_R14: return REG_R14;
	case ZYDIS_REGISTER_R15: return REG_R15;
	default: return -1;
	}
}

/* Moves that can be left out: all they do is to copy. */
static bool is_move(ZydisMnemonic m)
{
	switch (m) {
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVZX:
	case ZYDIS_MNEMONIC_MOVSX:
	case ZYDIS_MNEMONIC_MOVSXD:
	case ZYDIS_MNEMONIC_MOVBE:
	case ZYDIS_MNEMONIC_MOVNTI:
	case ZYDIS_MNEMONIC_MOVD:
	case ZYDIS_MNEMONIC_MOVQ:
	case ZYDIS_MNEMONIC_MOVSS:
	case ZYDIS_MNEMONIC_MOVSD:
	case ZYDIS_MNEMONIC_MOVAPS:
	case ZYDIS_MNEMONIC_MOVAPD:
	case ZYDIS_MNEMONIC_MOVUPS:
	case ZYDIS_MNEMONIC_MOVUPD:
	case ZYDIS_MNEMONIC_MOVDQA:
	case ZYDIS_MNEMONIC_MOVDQU:
	case ZYDIS_MNEMONIC_MOVNTDQ:
	case ZYDIS_MNEMONIC_MOVNTPS:
	case ZYDIS_MNEMONIC_MOVNTPD:
		return true;
	default:
		return false;
	}
}

static const ZydisDecodedOperand *memory_operand(const ZydisDecodedInstruction *i,
						 const ZydisDecodedOperand *ops)
{
	for (unsigned k = 0; k < i->operand_count; k++)
		if (ops[k].type == ZYDIS_OPERAND_TYPE_MEMORY && ops[k].mem.type == ZYDIS_MEMOP_TYPE_MEM)
			return &ops[k];
	return NULL;
}

static void classify(struct oblivious_insn *out, const ZydisDecodedInstruction *i,
		     const ZydisDecodedOperand *ops)
{
	const ZydisDecodedOperand *to = &ops[0];

	if (i->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) {
		out->kind = INSN_REPEATED;
		return;
	}
	if (!is_move(i->mnemonic) || i->operand_count_visible != 2)
		return;
	if (to->type == ZYDIS_OPERAND_TYPE_MEMORY) {
		out->kind = INSN_STORE;
		return;
	}
	if (to->type != ZYDIS_OPERAND_TYPE_REGISTER)
		return;
	switch (ZydisRegisterGetClass(to->reg.value)) {
	case ZYDIS_REGCLASS_GPR8:
		out->dest_high = to->reg.value >= ZYDIS_REGISTER_AH && to->reg.value <= ZYDIS_REGISTER_BH;
		/* fall through */
	case ZYDIS_REGCLASS_GPR16:
	case ZYDIS_REGCLASS_GPR32:
	case ZYDIS_REGCLASS_GPR64:
		out->dest = greg_of(to->reg.value);
		out->dest_bits = to->size;
		if (out->dest >= 0)
			out->kind = INSN_LOAD;
		break;
	case ZYDIS_REGCLASS_XMM:
		out->dest = (int)ZydisRegisterGetId(to->reg.value);
		out->kind = INSN_LOAD_VECTOR;
		break;
	default:
		break;
	}
}

bool oblivious_decode(struct oblivious_insn *out, uintptr_t pc)
{
	ZydisDecodedInstruction i;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	const ZydisDecodedOperand *mem;

	memset(out, 0, sizeof(*out));
	out->base = out->index = out->dest = -1;
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, (const void *)pc, ZYDIS_MAX_INSTRUCTION_LENGTH,
						 &i, ops)))
		return false;
	mem = memory_operand(&i, ops);
	if (mem == NULL)
		return false;
	out->length = i.length;
	out->base = greg_of(mem->mem.base);
	out->index = greg_of(mem->mem.index);
	out->scale = mem->mem.scale;
	out->disp = mem->mem.disp.has_displacement ? mem->mem.disp.value : 0;
	/* Without a base the index can be moved instead, if it is not scaled. */
	if (out->base < 0 && out->index >= 0 && out->scale == 1) {
		out->base = out->index;
		out->index = -1;
	}
	for (unsigned k = 0; k < i.operand_count; k++)
		if (ops[k].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    (ops[k].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) && out->base >= 0 &&
		    greg_of(ops[k].reg.value) == out->base)
			out->base_written = true;
	classify(out, &i, ops);
	return true;
}
