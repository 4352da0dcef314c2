import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { Attachment } from "../conversation/types.ts";
import { AttachmentList } from "./attachment-list.tsx";
import { TooLongNotice } from "./too-long-notice.tsx";
import { UnreadFiles } from "./unread-files.tsx";

afterEach(cleanup);

const file = { id: "f", name: "report.pdf", size: 2048, attachment: null, problem: null, note: null };
const attachment: Attachment = {
  id: "f",
  kind: "text",
  name: "report.pdf",
  type: "application/pdf",
  size: 2048,
  pages: 12,
  data: "--- page 1 of 12 ---\nFeathers",
};

test("a file that is being read shows its name and can be removed", async () => {
  const remove = vi.fn();
  render(<UnreadFiles files={[file]} remove={remove} />);
  expect(screen.getByText(/reading…/).textContent).toContain("2 kB");
  await userEvent.click(screen.getByRole("button", { name: "Remove report.pdf" }));
  expect(remove).toHaveBeenCalledWith("f");
});

test("a file that cannot be read shows the reason beside its name", () => {
  render(<UnreadFiles files={[{ ...file, problem: "report.pdf is encrypted." }]} remove={() => {}} />);
  const chip = screen.getByRole("listitem");
  expect(chip.textContent).toContain("report.pdf is encrypted.");
  expect(chip.getAttribute("aria-busy")).toBe("false");
});

test("a note says what is left out of an attached file", () => {
  render(<UnreadFiles files={[{ ...file, attachment, note: "Only 5 of 12 pages were read." }]} remove={() => {}} />);
  expect(screen.queryByRole("listitem")).toBeNull();
  expect(screen.getByText(/Only 5 of 12 pages/).textContent).toBe("report.pdf: Only 5 of 12 pages were read.");
});

test("an attached document shows pages, size and tokens, and its text can be opened", async () => {
  render(<AttachmentList attachments={[attachment]} />);
  expect(screen.getByRole("listitem").textContent).toBe("report.pdf12 pages · 2 kB · about 8 tokens");
  await userEvent.click(screen.getByRole("button", { name: "report.pdf" }));
  expect((await screen.findByRole("dialog")).textContent).toContain("--- page 1 of 12 ---");
});

test("files that do not fit can be cut", async () => {
  const cut = vi.fn();
  const { rerender } = render(<TooLongNotice tokens={50_000} context={8_192} cut={cut} />);
  await userEvent.click(screen.getByRole("button", { name: "Cut the files to fit" }));
  expect(cut).toHaveBeenCalledTimes(1);
  rerender(<TooLongNotice tokens={50_000} context={8_192} cut={null} />);
  expect(screen.queryByRole("button")).toBeNull();
});
