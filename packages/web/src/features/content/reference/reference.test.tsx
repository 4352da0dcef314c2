import { tags } from "virtual:contract/calls";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { renderPage } from "#/testing/page.tsx";
import { Limits } from "./limits.tsx";
import ReferencePage from "./reference-page.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const files = import.meta.glob<string>("../../../../../../openapi/generated/openapi.json", {
  query: "?raw",
  import: "default",
  eager: true,
});
const contract = JSON.parse(Object.values(files)[0] ?? "{}") as {
  paths: Record<string, Record<string, { operationId?: string }>>;
};
const operationIds = Object.values(contract.paths)
  .flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []))
  .sort();

const show = (rest: string) => renderPage(<ReferencePage />, "/docs/api/*", `/docs/api${rest}`);

test("every operation of the contract has one tag", () => {
  expect(operationIds.length).toBeGreaterThan(150);
  expect(tags.flatMap(({ operations }) => operations.map(({ id }) => id)).sort()).toEqual(operationIds);
});

test("the overview links to every operation", async () => {
  const { container } = show("");
  await screen.findByRole("heading", { level: 1, name: "API reference" });
  for (const { slug, operations } of tags)
    for (const { id } of operations)
      expect(container.querySelector(`a[href="/docs/api/${slug}#${id}"]`), id).toBeTruthy();
});

test("an answer that has two forms shows the fields of each", async () => {
  show("/calling");
  await screen.findByRole("heading", { level: 1, name: "Calling" });
  for (const form of ["OpenAIModelList", "AnthropicModelList", "OpenAIModel", "AnthropicModel"])
    expect(await screen.findByText(`Fields of the answer (application/json, ${form})`)).toBeTruthy();
});

test.each([
  ["of one event", "/calling", "concurrency.stream", 'data: {"limit":4,'],
  ["of the JSON in an event", "/calling", "chat.completions.create", 'data: {"id":"chatcmpl-'],
  ["of events as a text", "/calling", "completions.create", 'data: {"id":"cmpl-'],
])("an example of a stream is shown as it is sent: %s", async (_what, path, id, text) => {
  const { container } = show(path);
  const section = await waitFor(() => {
    const found = container.querySelector<HTMLElement>(`section[aria-labelledby="${id}"]`);
    expect(found).toBeTruthy();
    return found as HTMLElement;
  });
  fireEvent.click(within(section).getByRole("tab", { name: "200 stream" }));
  expect(section.textContent).toContain(text);
  expect(section.textContent).not.toContain("data: data:");
});

describe.each(tags.map(({ name, slug, operations }) => ({ name, slug, operations })))(
  "the group $name",
  ({ name, slug, operations }) => {
    test("a group of the reference shows each operation with path, access, responses and samples", async () => {
      const { container } = show(`/${slug}`);
      await screen.findByRole("heading", { level: 1, name });
      await waitFor(() => expect(container.querySelectorAll(".operation")).toHaveLength(operations.length));
      for (const { id, method, path } of operations) {
        const section = container.querySelector(`section[aria-labelledby="${id}"]`);
        expect(section?.querySelector(".operationPath")?.textContent, id).toBe(`${method} ${path}`);
        expect(section?.textContent, id).toContain("Who may call");
        expect(section?.querySelectorAll("[role=tab]").length, id).toBeGreaterThanOrEqual(3);
        expect(section?.querySelector("pre")?.textContent, id).toMatch(/^curl /);
        expect(section?.textContent, id).not.toContain("undefined");
      }
    });
  },
);

test.each(["enum", "x-values"])("shows the values of a field that are in its %s", async (name) => {
  await renderPage(<Limits schema={{ type: "string", [name]: ["text", "file"] }} />, "/", "/");
  expect(document.body.textContent).toContain("One of text, file.");
});

test("an unknown tag shows a message, with the name escaped", async () => {
  const { container } = show("/%3Cscript%3E");
  expect(await screen.findByText(/no group of calls named “<script>”/)).toBeTruthy();
  expect(container.querySelector("script")).toBeNull();
});
