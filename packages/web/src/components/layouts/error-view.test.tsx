import { cleanup, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { afterEach, expect, test } from "vitest";
import { ErrorView, formatPageError, type PageError } from "./error-view.tsx";

afterEach(cleanup);

test.each<[string, PageError, string]>([
  ["404 is 'Not found'", { statusCode: 404, message: "gone" }, "Not found"],
  ["status 404, whatever its data", { statusCode: 404, data: '{"code":"a","message":"b"}' }, "Not found"],
  [
    "data with code and message",
    { statusCode: 402, data: '{"code":"no_credits","message":"Top up."}', statusMessage: "Payment Required" },
    "Top up. (code: no_credits)",
  ],
  [
    "data that is not JSON",
    { statusCode: 500, data: "oops", statusMessage: "Server Error", message: "m" },
    "Server Error",
  ],
  ["data without a code", { statusCode: 500, data: '{"message":"m"}', statusMessage: "s" }, "s"],
  ["data that is null", { statusCode: 500, data: "null", statusMessage: "s" }, "s"],
  ["data with values of other types", { statusCode: 500, data: '{"message":{},"code":1}', message: "m" }, "m"],
  ["a message only", { statusCode: 500, message: "It broke." }, "It broke."],
  ["an empty error", {}, "Something went wrong."],
])("the text of %s", (_, error, text) => {
  expect(formatPageError(error)).toBe(text);
});

const show = (error: PageError) =>
  render(
    <MemoryRouter>
      <ErrorView error={error} />
    </MemoryRouter>,
  );

test("the view of an error shows the status, the message and a link to the home page", () => {
  show({ statusCode: 404, message: "Page Not Found: /x" });
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Error 404");
  expect(screen.getByText("Not found")).toBeTruthy();
  expect(screen.getByText("Page Not Found: /x")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Back to home" }).getAttribute("href")).toBe("/");
});

test("the view of an error shows hostile messages as text", () => {
  const { container } = show({ statusCode: 500, message: "<img src=x onerror=alert(1)>" });
  expect(container.querySelector("img")).toBeNull();
  expect(screen.getByText("<img src=x onerror=alert(1)>")).toBeTruthy();
});
