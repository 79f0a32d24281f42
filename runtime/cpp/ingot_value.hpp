/*
 * ingot_value.hpp: values of programs compiled by Ingot, for C++20; see ingot_heap.h
 */
#ifndef INGOT_VALUE_HPP
#define INGOT_VALUE_HPP

#include "ingot_malloc.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

namespace ingot {

/// malloc and free, and the default share of the stack.
inline const ingot_heap &malloc_heap() {
  static const ingot_heap heap = ingot_malloc_heap();
  return heap;
}

/// What a run throws that did not return 0. `what` says how it failed.
class error : public std::runtime_error {
public:
  error(std::int32_t status, const char *what) : std::runtime_error(what), code(status) {}
  std::int32_t status() const noexcept { return code; }

private:
  std::int32_t code;
};

/// One callable of several, for match.
template <class... Visitors> struct overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors> overloaded(Visitors...) -> overloaded<Visitors...>;

/// One share of a value of a program. Copies share the value, the last of them gives it back to its
/// heap, which has to live until then. What was moved from may be assigned or destroyed only. Of
/// one thread at a time.
template <class Raw> class value {
public:
  /// Takes over `share`; NULL, which stands for no memory, throws std::bad_alloc.
  value(Raw *share, const ingot_heap &heap) : raw(share), from(&heap) {
    if (raw == nullptr)
      throw std::bad_alloc();
  }
  value(const value &other) noexcept : raw(other.retained()), from(other.from) {}
  value(value &&other) noexcept : raw(std::exchange(other.raw, nullptr)), from(other.from) {}
  value &operator=(value other) noexcept {
    std::swap(raw, other.raw);
    std::swap(from, other.from);
    return *this;
  }
  ~value() { ingot_release(from, block()); }

  /// Still owned by this.
  const Raw *get() const noexcept { return raw; }
  /// A share of its own, to be given to what takes one over.
  Raw *retained() const noexcept {
    ingot_retain(block());
    return raw;
  }
  const ingot_heap &heap() const noexcept { return *from; }
  /// False for a constructor without fields, which takes no memory.
  bool is_allocated() const noexcept { return ingot_is_block(block()) != 0; }

private:
  ingot_block *block() const noexcept { return reinterpret_cast<ingot_block *>(raw); }

  Raw *raw;
  const ingot_heap *from;
};

/// Throws std::invalid_argument unless the blocks of `each` come from `heap`.
template <class Raw> void require_heap(const value<Raw> &each, const ingot_heap &heap) {
  if (each.is_allocated() && &each.heap() != &heap)
    throw std::invalid_argument("values of one program come from different heaps");
}

/// The heap of those of `values` that have blocks, which has to be the same; malloc_heap() if there
/// are none.
template <class... Values> const ingot_heap &common_heap(const Values &...values) {
  const ingot_heap *found = nullptr;
  [[maybe_unused]] const auto look = [&found](const auto &each) {
    if (found == nullptr && each.is_allocated())
      found = &each.heap();
  };
  (look(values), ...);
  return found == nullptr ? malloc_heap() : *found;
}

/// An immutable tensor inside data, row by row.
template <class Raw, class Element, std::size_t... Extents> class tensor : public value<Raw> {
public:
  static constexpr std::array<std::size_t, sizeof...(Extents)> shape = {Extents...};
  static constexpr std::size_t size = (Extents * ... * std::size_t{1});

  using value<Raw>::value;
  /// Copies `elements`.
  explicit tensor(std::span<const Element, size> elements, const ingot_heap &heap = malloc_heap())
      : value<Raw>(copy(elements, heap), heap) {}

  std::span<const Element, size> data() const noexcept {
    return std::span<const Element, size>(
        reinterpret_cast<const Element *>(reinterpret_cast<const unsigned char *>(this->get()) +
                                          INGOT_TENSOR_AT),
        size);
  }

private:
  static Raw *copy(std::span<const Element, size> elements, const ingot_heap &heap) {
    ingot_block *const block =
        ingot_allocate(&heap, INGOT_TENSOR_AT + sizeof(Element) * size, 0u, 0u);
    if (block != nullptr)
      std::copy(
          elements.begin(), elements.end(),
          reinterpret_cast<Element *>(reinterpret_cast<unsigned char *>(block) + INGOT_TENSOR_AT));
    return reinterpret_cast<Raw *>(block);
  }
};

} // namespace ingot

#endif
