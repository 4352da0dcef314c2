import { buildPage } from "@feather/testing/builders";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { storage } from "#/lib/browser/storage.ts";
import { renderPage } from "#/testing/page.tsx";
import { useSelection } from "./bulk/selection.ts";
import { ExportButton } from "./export-button.tsx";
import { List } from "./list.tsx";
import type { Filter } from "./list-params.ts";
import type { Column } from "./list-table.tsx";
import { useListState } from "./use-list-state.ts";

beforeEach(() => storage.clear());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

type Bird = { id: string; name: string; weight: number };
const BIRDS: readonly Bird[] = [
  { id: "b1", name: "Wren", weight: 9 },
  { id: "b2", name: "Rook", weight: 450 },
];
const FILTERS: readonly Filter[] = [
  { name: "search", label: "Search", kind: "search" },
  { name: "state", label: "State", kind: "choice", options: [{ value: "rare", label: "Rare" }] },
  { name: "from", until: "to", label: "Seen", kind: "period" },
  {
    name: "sort",
    label: "Order",
    kind: "sort",
    initial: "name",
    options: ["name", "-name", "weight"].map((value) => ({ value, label: value })),
  },
];
const COLUMNS: readonly Column<Bird>[] = [
  {
    header: "Name",
    cell: ({ name }) => name,
    sorts: [
      { value: "name", direction: "ascending" },
      { value: "-name", direction: "descending" },
    ],
  },
  {
    header: "Weight",
    name: "Weight",
    id: "weight",
    cell: ({ weight }) => weight,
    sorts: [{ value: "weight", direction: "ascending" }],
  },
];

function Birds({ birds }: { birds: readonly Bird[] | null }) {
  const list = useListState(FILTERS);
  const selection = useSelection();
  const query = {
    data: birds === null ? undefined : buildPage(birds),
    isError: false as const,
    error: null,
    isPlaceholderData: false,
    refetch: vi.fn(),
  };
  return (
    <List
      title="Birds"
      name="birds"
      list={list}
      query={query}
      columns={COLUMNS}
      selection={selection}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      empty={{ title: "No birds yet", text: "They come in spring.", action: <button type="button">Feed them</button> }}
    />
  );
}
const show = (query = "", birds: readonly Bird[] | null = BIRDS) =>
  renderPage(<Birds birds={birds} />, "/birds", `/birds${query}`);
const searchOf = ({ router }: ReturnType<typeof show>) => router.state.location.search;

describe("the filters of a list", () => {
  test("every active filter has a chip, which takes off that filter alone", async () => {
    const shown = show("?search=wr&state=rare&from=2026-11-01&to=2026-11-02&page=3&sort=-name");
    const chips = within(screen.getByRole("list", { name: "Active filters" }));
    expect(chips.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
      "Search: wr ×",
      "State: Rare ×",
      expect.stringMatching(/^Seen: 1\s?–\s?2 Nov 2026 ×$/),
      "Clear filters",
    ]);
    await userEvent.click(chips.getByRole("button", { name: "Take off the filter State: Rare" }));
    expect(searchOf(shown)).toBe("?search=wr&from=2026-11-01&to=2026-11-02&sort=-name");
    await userEvent.click(screen.getByRole("button", { name: /^Take off the filter Seen/ }));
    expect(searchOf(shown)).toBe("?search=wr&sort=-name");
  });

  test("clearing the filters keeps the order, which is no filter", async () => {
    const shown = show("?search=wr&sort=-name&page=2");
    await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(searchOf(shown)).toBe("?sort=-name");
    expect(screen.queryByRole("list", { name: "Active filters" })).toBeNull();
  });

  test("nothing that matches offers to clear the filters, and an empty list what to do", async () => {
    const shown = show("?state=rare", []);
    expect(screen.getByRole("heading", { name: "Nothing matches" })).toBeTruthy();
    await userEvent.click(screen.getAllByRole("button", { name: "Clear filters" })[1] as Element);
    expect(searchOf(shown)).toBe("");
    expect(screen.getByRole("heading", { name: "No birds yet" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Feed them" })).toBeTruthy();
  });
});

describe("the order of a list", () => {
  const headOf = (name: RegExp) => screen.getByRole("columnheader", { name });

  test("the head of a column sets the order in turn, keeps it in the address, and says it to screen readers", async () => {
    const shown = show("?page=2");
    expect(headOf(/^Name/).getAttribute("aria-sort")).toBe("ascending");
    expect(headOf(/^Weight/).getAttribute("aria-sort")).toBe("none");
    await userEvent.click(screen.getByRole("button", { name: "Name" }));
    expect(searchOf(shown)).toBe("?sort=-name");
    expect(headOf(/^Name/).getAttribute("aria-sort")).toBe("descending");
    await userEvent.click(screen.getByRole("button", { name: "Weight" }));
    expect(searchOf(shown)).toBe("?sort=weight");
    await userEvent.click(screen.getByRole("button", { name: "Name" }));
    expect(searchOf(shown)).toBe("");
  });

  test("an order that the list does not have counts as none", () => {
    show("?sort=colour");
    expect(headOf(/^Name/).getAttribute("aria-sort")).toBe("ascending");
  });
});

describe("the columns of a list", () => {
  test("a column that is hidden stays hidden for the next visit, and can be shown again", async () => {
    show();
    const choose = async () => {
      await userEvent.click(screen.getByRole("button", { name: "Columns" }));
      await userEvent.click(await screen.findByRole("menuitemcheckbox", { name: /Weight/ }));
    };
    await choose();
    await waitFor(() => expect(screen.queryByText("450")).toBeNull());
    show();
    expect(screen.queryByText("450")).toBeNull();
    await choose();
    expect(await screen.findByText("450")).toBeTruthy();
  });
});

test("rows are chosen one by one or all of a page, and the list says how many", async () => {
  show();
  await userEvent.click(screen.getByRole("checkbox", { name: "Choose Rook" }));
  expect(screen.getByRole("status").textContent).toContain("1 chosen");
  await userEvent.click(screen.getByRole("checkbox", { name: "Choose all on this page" }));
  expect(screen.getByRole("status").textContent).toContain("2 chosen");
  await userEvent.click(screen.getByRole("button", { name: "Choose none" }));
  expect(screen.queryByRole("status")).toBeNull();
});

test("a list that loads has rows without text, so that nothing moves when they arrive", () => {
  show("", null);
  expect(screen.getByRole("table", { name: "Birds" }).getAttribute("aria-busy")).toBe("true");
  expect(screen.getAllByRole("row").length).toBeGreaterThan(5);
});

describe("the file of a list", () => {
  async function* readMany(count: number) {
    for (let index = 0; index < count; index++) yield { id: `b${index}`, name: "=Wren", weight: index };
  }
  async function save(total: number, count = total, readRows = readMany) {
    const files: Blob[] = [];
    vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
      files.push(blob as Blob);
      return "blob:x";
    });
    renderPage(
      <ExportButton<Bird>
        label="Export as CSV"
        file="birds.csv"
        total={total}
        rows={() => readRows(count)}
        idOf={({ id }) => id}
        columns={{ id: ({ id }) => id, name: ({ name }) => name }}
      />,
      "/",
      "/",
    );
    await userEvent.click(screen.getByRole("button", { name: "Export as CSV" }));
    return files;
  }

  test("the file has a line for each row, and no cell that a spreadsheet would evaluate", async () => {
    const files = await save(2);
    await waitFor(() => expect(files).toHaveLength(1));
    expect(await files[0]?.text()).toBe("id,name\r\nb0,'=Wren\r\nb1,'=Wren\r\n");
  });

  test("a row that a new one moves to the next page while pages are read is in the file once", async () => {
    async function* readMoved(count: number) {
      yield* readMany(count);
      yield* readMany(count);
    }
    const files = await save(2, 2, readMoved);
    await waitFor(() => expect(files).toHaveLength(1));
    expect(await files[0]?.text()).toBe("id,name\r\nb0,'=Wren\r\nb1,'=Wren\r\n");
  });

  test("the file ends after 10,000 rows", async () => {
    const files = await save(10_050);
    await waitFor(() => expect(files).toHaveLength(1));
    expect((await files[0]?.text())?.trimEnd().split("\r\n")).toHaveLength(10_001);
  });
});
