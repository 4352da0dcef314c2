import { act, cleanup, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { createLazyPage, PageBody } from "./lazy-page.tsx";

afterEach(cleanup);
const Hello = () => <p>Hello</p>;

test("a preloaded page renders at once and is fetched once", async () => {
  const fetchModule = vi.fn(async () => ({ default: Hello }));
  const page = createLazyPage(fetchModule);
  await Promise.all([page.preload(), page.preload()]);
  render(<PageBody page={page} />); // no Suspense around it
  expect(screen.getByText("Hello")).toBeTruthy();
  expect(fetchModule).toHaveBeenCalledTimes(1);
});

test("a page that was not preloaded is awaited", async () => {
  const page = createLazyPage(async () => ({ default: Hello }));
  await act(async () => {
    render(
      <Suspense fallback="wait">
        <PageBody page={page} />
      </Suspense>,
    );
  });
  expect(await screen.findByText("Hello")).toBeTruthy();
});

test("a page is fetched again after a failure", async () => {
  const fetchModule = vi.fn(async () => ({ default: Hello }));
  fetchModule.mockRejectedValueOnce(new TypeError("Failed to fetch dynamically imported module"));
  const page = createLazyPage(fetchModule);
  await page.preload();
  expect(page.current()).toBeNull();
  await page.preload();
  expect(page.current()).toBe(Hello);
});
