; Blocks with a reference count: what runtime/c/ingot_heap.h does for C, for targets with 64-bit pointers.
; A heap is { allocate, release, user, stack_bytes }, a block { i32 count, i16 tag, i16 pointers }, a run
; { heap, stack_base, stack_bytes }.

declare ptr @llvm.frameaddress.p0(i32)

define ptr @ingot_allocate(ptr %heap, i64 %bytes, i16 %tag, i16 %pointers) alwaysinline nounwind {
  %allocate = load ptr, ptr %heap
  %user.at = getelementptr i8, ptr %heap, i64 16
  %user = load ptr, ptr %user.at
  %block = call ptr %allocate(ptr %user, i64 %bytes)
  %none = icmp eq ptr %block, null
  br i1 %none, label %end, label %fill
fill:
  store i32 1, ptr %block
  %tag.at = getelementptr i8, ptr %block, i64 4
  store i16 %tag, ptr %tag.at
  %pointers.at = getelementptr i8, ptr %block, i64 6
  store i16 %pointers, ptr %pointers.at
  br label %end
end:
  ret ptr %block
}

define ptr @ingot_reuse(ptr %heap, ptr %spare, i64 %bytes, i16 %tag, i16 %pointers) alwaysinline nounwind {
  %none = icmp eq ptr %spare, null
  br i1 %none, label %new, label %again
new:
  %block = call ptr @ingot_allocate(ptr %heap, i64 %bytes, i16 %tag, i16 %pointers)
  ret ptr %block
again:
  %tag.at = getelementptr i8, ptr %spare, i64 4
  store i16 %tag, ptr %tag.at
  %pointers.at = getelementptr i8, ptr %spare, i64 6
  store i16 %pointers, ptr %pointers.at
  ret ptr %spare
}

define i1 @ingot_is_block(ptr %block) alwaysinline nounwind {
  %bits = ptrtoint ptr %block to i64
  %low = and i64 %bits, 1
  %even = icmp eq i64 %low, 0
  %some = icmp ne ptr %block, null
  %both = and i1 %even, %some
  ret i1 %both
}

define i32 @ingot_tag(ptr %block) alwaysinline nounwind {
  %bits = ptrtoint ptr %block to i64
  %low = and i64 %bits, 1
  %odd = icmp ne i64 %low, 0
  br i1 %odd, label %immediate, label %read
immediate:
  %half = lshr i64 %bits, 1
  %number = trunc i64 %half to i32
  ret i32 %number
read:
  %at = getelementptr i8, ptr %block, i64 4
  %short = load i16, ptr %at
  %tag = zext i16 %short to i32
  ret i32 %tag
}

define void @ingot_retain(ptr %block) alwaysinline nounwind {
  %is = call i1 @ingot_is_block(ptr %block)
  br i1 %is, label %count, label %end
count:
  %old = load i32, ptr %block
  %new = add i32 %old, 1
  store i32 %new, ptr %block
  br label %end
end:
  ret void
}

define void @ingot_release(ptr %heap, ptr %block) alwaysinline nounwind {
  %is = call i1 @ingot_is_block(ptr %block)
  br i1 %is, label %count, label %end
count:
  %old = load i32, ptr %block
  %new = sub i32 %old, 1
  store i32 %new, ptr %block
  %last = icmp eq i32 %new, 0
  br i1 %last, label %destroy, label %end
destroy:
  call void @ingot_destroy(ptr %heap, ptr %block)
  br label %end
end:
  ret void
}

define i1 @ingot_is_unique(ptr %block) alwaysinline nounwind {
  %is = call i1 @ingot_is_block(ptr %block)
  br i1 %is, label %look, label %no
look:
  %count = load i32, ptr %block
  %one = icmp eq i32 %count, 1
  ret i1 %one
no:
  ret i1 false
}

define i1 @ingot_is_stack_used_up(ptr %run) alwaysinline nounwind {
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %at = ptrtoint ptr %frame to i64
  %base.at = getelementptr i8, ptr %run, i64 8
  %base = load i64, ptr %base.at
  %limit.at = getelementptr i8, ptr %run, i64 16
  %limit = load i64, ptr %limit.at
  %down = sub i64 %base, %at
  %up = sub i64 %at, %base
  %grows.down = icmp ugt i64 %base, %at
  %distance = select i1 %grows.down, i64 %down, i64 %up
  %over = icmp ugt i64 %distance, %limit
  ret i1 %over
}

define void @ingot_begin(ptr %run, ptr %heap) alwaysinline nounwind {
  store ptr %heap, ptr %run
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %base = ptrtoint ptr %frame to i64
  %base.at = getelementptr i8, ptr %run, i64 8
  store i64 %base, ptr %base.at
  %stack.at = getelementptr i8, ptr %heap, i64 24
  %given = load i64, ptr %stack.at
  %none = icmp eq i64 %given, 0
  %bytes = select i1 %none, i64 262144, i64 %given
  %limit.at = getelementptr i8, ptr %run, i64 16
  store i64 %bytes, ptr %limit.at
  ret void
}

; Depth first without a stack, as in ingot_heap.h.
define void @ingot_destroy(ptr %heap, ptr %dead) noinline nounwind {
entry:
  %release.at = getelementptr i8, ptr %heap, i64 8
  %release = load ptr, ptr %release.at
  %user.at = getelementptr i8, ptr %heap, i64 16
  %user = load ptr, ptr %user.at
  br label %loop
loop:
  %block = phi ptr [ %dead, %entry ], [ %block, %advance ], [ %child, %descend ], [ %parent, %ascend ]
  %parent = phi ptr [ null, %entry ], [ %parent, %advance ], [ %block, %descend ], [ %grandparent, %ascend ]
  %index = load i32, ptr %block
  %pointers.at = getelementptr i8, ptr %block, i64 6
  %short = load i16, ptr %pointers.at
  %pointers = zext i16 %short to i32
  %more = icmp ult i32 %index, %pointers
  br i1 %more, label %look, label %free
look:
  %wide = zext i32 %index to i64
  %first = getelementptr i8, ptr %block, i64 8
  %place = getelementptr ptr, ptr %first, i64 %wide
  %child = load ptr, ptr %place
  %is = call i1 @ingot_is_block(ptr %child)
  br i1 %is, label %count, label %advance
count:
  %old = load i32, ptr %child
  %new = sub i32 %old, 1
  store i32 %new, ptr %child
  %last = icmp eq i32 %new, 0
  br i1 %last, label %descend, label %advance
descend:
  store ptr %parent, ptr %place
  br label %loop
advance:
  %next = add i32 %index, 1
  store i32 %next, ptr %block
  br label %loop
free:
  call void %release(ptr %user, ptr %block)
  %done = icmp eq ptr %parent, null
  br i1 %done, label %end, label %ascend
ascend:
  %up.index = load i32, ptr %parent
  %up.wide = zext i32 %up.index to i64
  %up.first = getelementptr i8, ptr %parent, i64 8
  %up.place = getelementptr ptr, ptr %up.first, i64 %up.wide
  %grandparent = load ptr, ptr %up.place
  %up.next = add i32 %up.index, 1
  store i32 %up.next, ptr %parent
  br label %loop
end:
  ret void
}
