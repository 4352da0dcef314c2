import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { DocumentLinks } from "./document-links.tsx";

afterEach(cleanup);

const hrefOf = (name: string) => screen.queryByRole("link", { name })?.getAttribute("href") ?? null;

test.each([
  [true, "/api/invoices/inv_1/xml"],
  [false, null],
])("links of a document lead to its page, its PDF, and its e-invoice if there is one: %s", (hasXml, xml) => {
  render(<DocumentLinks path="/api/invoices/inv_1" number="F-2026-0001" hasXml={hasXml} />);
  expect(hrefOf("F-2026-0001")).toBe("/api/invoices/inv_1/page");
  expect(hrefOf("F-2026-0001 as PDF")).toBe("/api/invoices/inv_1/pdf");
  expect(hrefOf("F-2026-0001 as XML")).toBe(xml);
});
