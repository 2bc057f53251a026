; RUN: plumb dump ir %s
; What clang makes of C seldom or only when it optimises: aggregates as values, constant
; expressions that are no operands, vectors of pointers, unwinding, no debug information.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.pair = type { ptr, i32 }

@a = global %struct.pair { ptr @a, i32 3 }
@b = private unnamed_addr constant [4 x i8] c"b\0A\22\00"
@0 = private global i32 0
@table = global [2 x <2 x ptr>] [<2 x ptr> <ptr @a, ptr null>, <2 x ptr> zeroinitializer]
@relative = constant i32 trunc (i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @relative to i64)) to i32)
@low_half = global i32 trunc (i64 ptrtoint (ptr @a to i64) to i32)
@"\01under" = external global i32
@chain = alias ptr, getelementptr inbounds (%struct.pair, ptr @second, i32 0, i32 1)
@second = alias %struct.pair, ptr @a
@picked = ifunc i32 (ptr), ptr @resolver

declare { ptr, i32 } @make(i32)
declare void @take({ ptr, i32 })
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @__gxx_personality_v0(...)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare i64 @llvm.expect.i64(i64, i64)
declare <4 x ptr> @llvm.masked.gather.v4p0.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x ptr>)
declare void @llvm.masked.store.v2p0.p0(<2 x ptr>, ptr, i32, <2 x i1>)
declare void @llvm.trap()
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)

define internal ptr @resolver() {
  ret ptr @free
}

define { ptr, i32 } @aggregates(i1 %c, ptr %p, { ptr, i32 } %in) {
entry:
  %x = call { ptr, i32 } @make(i32 1)
  %y = insertvalue { ptr, i32 } %in, ptr %p, 0
  br i1 %c, label %left, label %right
left:
  %z = select i1 %c, { ptr, i32 } %x, { ptr, i32 } { ptr @a, i32 7 }
  br label %join
right:
  %w = freeze { ptr, i32 } %y
  br label %join
join:
  %phi = phi { ptr, i32 } [ %z, %left ], [ %w, %right ], [ undef, %dead ]
  call void @take({ ptr, i32 } %phi)
  call void @take({ ptr, i32 } zeroinitializer)
  store { ptr, i32 } %phi, ptr %p
  %l = load { i8, [2 x ptr] }, ptr %p
  %e = extractvalue { i8, [2 x ptr] } %l, 1, 1
  call void @free(ptr %e)
  ret { ptr, i32 } %phi
dead:
  %self = add i32 %self, 1
  br label %join
}

define i32 @constants(i1 %c, ptr %p) {
entry:
  store i32 trunc (i64 ptrtoint (ptr @a to i64) to i32), ptr %p
  store ptr getelementptr (i8, ptr @a, i64 12), ptr %p
  store i64 sub (i64 ptrtoint (ptr @second to i64), i64 ptrtoint (ptr @a to i64)), ptr %p
  store ptr inttoptr (i64 add (i64 ptrtoint (ptr @a to i64), i64 4) to ptr), ptr %p
  store i128 5, ptr %p
  store <2 x ptr> <ptr @a, ptr @b>, ptr %p
  store i32 3, ptr @chain
  store i32 4, ptr @"\01under"
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %v = phi <2 x ptr> [ <ptr @a, ptr @0>, %then ], [ poison, %entry ]
  %f = phi ptr [ @picked, %entry ], [ null, %then ]
  store <2 x ptr> %v, ptr %p
  %r = call i32 @picked(ptr %f)
  ret i32 %r
}

define ptr @vectors(<4 x ptr> %v, ptr %p, i64 %i, <2 x i1> %m) {
  %g = getelementptr i32, <4 x ptr> %v, i64 %i
  %l = call <4 x ptr> @llvm.masked.gather.v4p0.v4p0(<4 x ptr> %g, i32 8, <4 x i1> <i1 1, i1 0, i1 1, i1 1>, <4 x ptr> %v)
  %h = shufflevector <4 x ptr> %l, <4 x ptr> %v, <2 x i32> <i32 0, i32 5>
  call void @llvm.masked.store.v2p0.p0(<2 x ptr> %h, ptr %p, i32 8, <2 x i1> %m)
  %e = extractelement <2 x ptr> %h, i32 1
  %i2 = ptrtoint <2 x ptr> %h to <2 x i64>
  %w = bitcast <2 x i64> %i2 to i128
  store i128 %w, ptr %p
  ret ptr %e
}

define i32 @intrinsics(i32 %x, ptr %p) {
  %s = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %x, i32 1)
  %v = extractvalue { i32, i1 } %s, 0
  %o = extractvalue { i32, i1 } %s, 1
  br i1 %o, label %bad, label %ok
bad:
  call void @llvm.trap()
  unreachable
ok:
  %z = zext i32 %v to i64
  %e = call i64 @llvm.expect.i64(i64 %z, i64 0)
  %q = getelementptr i8, ptr %p, i64 %e
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 true)
  %c = call i32 @llvm.ctpop.i32(i32 %v)
  %m = atomicrmw umax ptr %p, i32 %c acquire
  %va = va_arg ptr %p, ptr
  store ptr %va, ptr %p
  ret i32 %m
}

define ptr @unwinding(ptr %p) personality ptr @__gxx_personality_v0 {
  %m = invoke ptr @malloc(i64 8) to label %on unwind label %pad
on:
  %q = phi ptr [ %m, %0 ], [ null, %pad ]
  ret ptr %q
pad:
  %l = landingpad { ptr, i32 } cleanup
  call void @free(ptr %p)
  br i1 poison, label %on, label %up
up:
  resume { ptr, i32 } %l
}

define i32 @order(i1 %c) {
entry:
  br label %second
first:
  %use = add i32 %def, 1
  br label %end
second:
  %def = select i1 %c, i32 1, i32 2
  switch i32 %def, label %end [
    i32 1, label %first
    i32 2, label %first
  ]
end:
  %r = phi i32 [ %use, %first ], [ 0, %second ]
  ret i32 %r
}
