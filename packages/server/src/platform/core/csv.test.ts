import { expect, test } from "vitest";
import { formatCsvLine } from "./csv.ts";

test.each([
  [["=1+1"], "'=1+1"],
  [["+49 30", "@sum(a1)", "-2+3"], "'+49 30,'@sum(a1),'-2+3"],
  [["\t=1", "\r=1", "\n=1"], `'\t=1,"'\r=1","'\n=1"`],
  [['=HYPERLINK("http://x","y")'], `"'=HYPERLINK(""http://x"",""y"")"`],
  [["a,b", 'say "hi"', "two\nlines"], '"a,b","say ""hi""","two\nlines"'],
  [[-12.5, 0, null, true, ""], "-12.5,0,,true,"],
  [["Ada = Bo", "10115 Berlin"], "Ada = Bo,10115 Berlin"],
])("formatCsvLine writes %j without a cell that a spreadsheet would run", (cells, line) => {
  expect(formatCsvLine(cells)).toBe(`${line}\r\n`);
});
