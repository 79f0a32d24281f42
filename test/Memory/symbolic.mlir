// RUN: ingot-opt --plan-memory --check-memory --cse %s | FileCheck %s
// RUN: ingot-opt --plan-memory --report-memory=dims=3,7 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT

// REPORT: workspace 1472 bytes, lower bound 1472 in step 1
// REPORT-NEXT: offset 0, 1344 bytes, steps 1 to 1, a, at the peak
// REPORT-NEXT: offset 1344, 84 bytes, steps 1 to 1, b, at the peak
// REPORT-NEXT: offset 0, 84 bytes, steps 1 to 1, c

#d = #ingot.dims<height, width>
module attributes {ingot.model = {name = "m", symbols = ["height", "width"],
    inputs = [{name = "x", type = tensor<?x?xf32, #d>}], outputs = [{name = "y", type = tensor<?x?xf32, #d>}]}} {
  func.func private @step(%in: memref<?xf32>, %out: memref<?xf32> {ingot.write}) attributes {ingot.step = 1 : i64}

  // CHECK-LABEL: func.func @workspace_size(
  // CHECK-SAME: %[[H:[a-z0-9]+]]: index {ingot.name = "height"}, %[[W:[a-z0-9]+]]: index {ingot.name = "width"}) -> index
  // CHECK-SAME: attributes {ingot.workspace_size}
  // CHECK: return
  // CHECK-LABEL: func.func @main(
  // CHECK-SAME: %[[S:[a-z0-9]+]]: memref<?xi8>
  func.func @main(%x: memref<?xf32>, %y: memref<?xf32> {ingot.write}, %w: memref<?xi8> {ingot.write},
                  %height: index, %width: index) attributes {ingot.entry} {
    %n = arith.muli %height, %width : index
    %c16 = arith.constant 16 : index
    %m = arith.muli %n, %c16 : index
    // The first and the third buffer share offset 0.
    // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
    // CHECK: memref.view %[[S]][%[[ZERO]]][%{{.*}}] {ingot.name = "a", ingot.size = #ingot.dims<"height * width * 16">}
    // CHECK: memref.view %[[S]][%[[TOP:.*]]][%{{.*}}] {ingot.name = "b"
    // CHECK: memref.view %[[S]][%[[ZERO]]][%{{.*}}] {ingot.name = "c"
    %a = memref.alloc(%m) {ingot.name = "a", ingot.size = #ingot.dims<"height * width * 16">} : memref<?xf32>
    func.call @step(%x, %a) : (memref<?xf32>, memref<?xf32>) -> ()
    %b = memref.alloc(%n) {ingot.name = "b", ingot.size = #ingot.dims<"height * width">} : memref<?xf32>
    func.call @step(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
    %c = memref.alloc(%n) {ingot.name = "c", ingot.size = #ingot.dims<"height * width">} : memref<?xf32>
    func.call @step(%b, %c) : (memref<?xf32>, memref<?xf32>) -> ()
    func.call @step(%c, %y) : (memref<?xf32>, memref<?xf32>) -> ()
    return
  }
}
