const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
/** Day 0 of workbooks; those of old Macs count from 1904. Days before March 1900 are one off, as in Excel. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** The ids of built-in formats that show a date or a time; others are in the workbook. */
const BUILT_IN_DATES = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
/** The last day that Excel knows, 31 December 9999. */
const MAX_SERIAL = 2_958_465;

/** Returns whether a number format shows a date or time. `code` is the format of the workbook, such as `yyyy-mm-dd`. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return BUILT_IN_DATES.has(id);
  const withoutTexts = code.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "");
  return /[dmyhs]/i.test(withoutTexts) && !/^general$/i.test(withoutTexts);
}

/** Writes a day number as `2026-11-30`, with the time of day if it has one, such as `2026-11-30 14:00:00`. */
export function formatDate(value: string, is1904: boolean): string {
  const serial = Number(value);
  if (value === "" || !Number.isFinite(serial) || serial < 0 || serial > MAX_SERIAL) return value;
  const milliseconds = Math.round((serial * DAY_MS) / SECOND_MS) * SECOND_MS;
  const iso = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + milliseconds).toISOString();
  const [date = "", time = ""] = iso.split("T");
  const clock = time.slice(0, 8);
  if (serial < 1 && !is1904) return clock;
  return clock === "00:00:00" ? date : `${date} ${clock}`;
}
