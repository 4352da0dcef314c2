import { act, cleanup, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { flushSync } from "react-dom";
import { UNSAFE_createMemoryHistory as createMemoryHistory, useLocation } from "react-router-dom";
import { afterEach, expect, test, vi } from "vitest";
import { ErrorBoundary } from "./error-boundary.tsx";
import { SiteRouter, useIsNavigating, useWaitUntilReady } from "./site-router.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Page() {
  useWaitUntilReady();
  const { pathname, search } = useLocation();
  if (pathname === "/broken") throw new Error("It broke.");
  return <p>{`page ${pathname}${search}`}</p>;
}
const State = () => <p>{useIsNavigating() ? "leaving" : "staying"}</p>;

function Inside() {
  const { pathname } = useLocation();
  return (
    <>
      <State />
      <ErrorBoundary resetKey={pathname} renderError={(error) => <p>{(error as Error).message}</p>}>
        <Suspense fallback={<p>beginning</p>}>
          <Page />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

async function open() {
  const waiting = new Map<string, () => void>();
  const prepare = vi.fn((path: string) => new Promise<void>((resolve) => void waiting.set(path, resolve)));
  const history = createMemoryHistory({ initialEntries: ["/a"], v5Compat: true });
  await act(async () => {
    render(
      <SiteRouter history={history} prepare={prepare}>
        <Inside />
      </SiteRouter>,
    );
  });
  const isReady = (path: string) => act(async () => waiting.get(path)?.());
  const go = (to: string) => act(async () => history.push(to));
  return { prepare, isReady, go, history };
}
const shownText = () => screen.getByText(/^(page|beginning|It broke)/).textContent;

test("waits for the first page", async () => {
  const { isReady } = await open();
  expect(shownText()).toBe("beginning");
  await isReady("/a");
  expect(shownText()).toBe("page /a");
});

test("renders a prepared first page at once, without a gap", () => {
  const prepare = vi.fn(() => new Promise<void>(() => {}));
  const history = createMemoryHistory({ initialEntries: ["/a"], v5Compat: true });
  render(
    <SiteRouter history={history} prepare={prepare} prepared>
      <Inside />
    </SiteRouter>,
  );
  expect(shownText()).toBe("page /a");
  expect(prepare).not.toHaveBeenCalled();
});

test("keeps the page until the next one is ready", async () => {
  const { isReady, go } = await open();
  await isReady("/a");
  await go("/b");
  expect(shownText()).toBe("page /a");
  expect(screen.getByText("leaving")).toBeTruthy();
  await isReady("/b");
  expect(shownText()).toBe("page /b");
  expect(screen.getByText("staying")).toBeTruthy();
});

test("never shows a page that was left before it was ready", async () => {
  const { isReady, go } = await open();
  await isReady("/a");
  await go("/b");
  await go("/c");
  await isReady("/c");
  expect(shownText()).toBe("page /c");
  await isReady("/b");
  expect(shownText()).toBe("page /c");
});

test("a change of the query renders within the event that caused it", async () => {
  const { isReady, history } = await open();
  await isReady("/a");
  let during = "";
  await act(async () => {
    flushSync(() => history.push("/a?filter=x"));
    during = shownText() ?? "";
  });
  expect(during).toBe("page /a?filter=x");
});

test("a change of the query stays on the page and waits for nothing", async () => {
  const { isReady, go, prepare } = await open();
  await isReady("/a");
  await go("/a?page=2");
  expect(shownText()).toBe("page /a?page=2");
  expect(prepare).toHaveBeenCalledTimes(1);
});

test("replaces a failed page on the next navigation, also on back", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { isReady, go, history } = await open();
  await isReady("/a");
  await go("/broken");
  await isReady("/broken");
  expect(shownText()).toBe("It broke.");
  await act(async () => {
    history.go(-1);
    await new Promise((resolve) => setTimeout(resolve));
  });
  await isReady("/a");
  expect(shownText()).toBe("page /a");
});

test("ends on the right page after quick back and forward", async () => {
  const { isReady, go, history } = await open();
  await isReady("/a");
  await go("/b");
  await isReady("/b");
  await act(async () => {
    history.go(-1);
    history.go(1);
    await new Promise((resolve) => setTimeout(resolve));
  });
  await isReady("/a");
  await isReady("/b");
  expect(shownText()).toBe("page /b");
});
