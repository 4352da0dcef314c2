import { fc } from "@feather/testing/properties";
import { expect, test } from "vitest";
import { endWithLineFeed, toJsonText } from "./json-text.ts";
import { parsePage, toPagination } from "./pagination.ts";
import { BodyTooLongError, readLimited } from "./read-limited.ts";

test.each([
  ["nothing", {}, { page: 1, perPage: 50, limit: 50, offset: 0 }],
  ["a page", { page: 3 }, { page: 3, perPage: 50, limit: 50, offset: 100 }],
  ["a size", { perPage: 10 }, { page: 1, perPage: 10, limit: 10, offset: 0 }],
  ["the other name of the size", { per_page: 20, page: 2 }, { page: 2, perPage: 20, limit: 20, offset: 20 }],
  // The contract fills in the default of `perPage`.
  ["the other name beside the default", { per_page: 20, perPage: 50 }, { page: 1, perPage: 20, limit: 20, offset: 0 }],
  ["both names", { per_page: 20, perPage: 10 }, { page: 1, perPage: 10, limit: 10, offset: 0 }],
])("a request with %s gets its page", (_what, query, page) => expect(parsePage(query)).toEqual(page));

test("another default size applies where no size is given", () => {
  expect(parsePage({}, 25)).toMatchObject({ perPage: 25 });
  expect(parsePage({ per_page: 5, perPage: 25 }, 25)).toMatchObject({ perPage: 5 });
  expect(parsePage({ per_page: 5, perPage: 50 }, 25)).toMatchObject({ perPage: 50 });
});

test("the pages of a list hold all items, each once", () => {
  const sizes = fc.record({ total: fc.nat(1_000), perPage: fc.integer({ min: 1, max: 100 }) });
  fc.assert(
    fc.property(sizes, ({ total, perPage }) => {
      const items = Array.from({ length: total }, (_, index) => index);
      const { total_pages: pages } = toPagination(parsePage({ perPage }), total);
      const seen = Array.from({ length: pages }, (_, index) => {
        const { offset, limit } = parsePage({ page: index + 1, perPage });
        return items.slice(offset, offset + limit);
      });
      expect(seen.flat()).toEqual(items);
      expect(seen.every((page) => page.length > 0)).toBe(true);
    }),
  );
});

test("an empty list has no pages", () => {
  expect(toPagination(parsePage({ page: 7 }), 0)).toEqual({
    current_page: 7,
    per_page: 50,
    total_items: 0,
    total_pages: 0,
  });
});

test("an answer ends with exactly one line feed", () => {
  expect(toJsonText({ a: "b\n" })).toBe('{"a":"b\\n"}\n');
  expect(["", "text", "text\n"].map(endWithLineFeed)).toEqual(["\n", "text\n", "text\n"]);
});

/** Returns a body of these parts, and how many of them were read. */
function bodyOf(parts: readonly string[]) {
  const counted = { read: 0, isClosed: false };
  const body = (async function* () {
    try {
      for (const part of parts) {
        counted.read += 1;
        yield Buffer.from(part);
      }
    } finally {
      counted.isClosed = true;
    }
  })();
  return { body, counted };
}

test("a body within its limit is read whole", async () => {
  expect((await readLimited(bodyOf(["ab", "", "cd"]).body, 4)).toString()).toBe("abcd");
  expect((await readLimited(null, 0)).length).toBe(0);
});

test("a body beyond its limit is not read to its end", async () => {
  const { body, counted } = bodyOf(["ab", "cde", "f", "g"]);
  await expect(readLimited(body, 4)).rejects.toThrow(BodyTooLongError);
  expect(counted).toEqual({ read: 2, isClosed: true });
});

test("the error for a body that is too long says its limit", () => {
  expect(new BodyTooLongError(2 * 1024 * 1024).message).toBe("It sent more than 2 MB.");
});

test("a body that breaks off rejects with its error", async () => {
  const reset = new Error("read ECONNRESET");
  const body = (async function* () {
    yield Buffer.from("ab");
    throw reset;
  })();
  await expect(readLimited(body, 100)).rejects.toBe(reset);
});
