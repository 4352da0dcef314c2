import { t } from "@lingui/core/macro";
import { downloadText } from "#/lib/browser/download-text.ts";
import { type CsvCell, toCsv } from "#/lib/csv.ts";
import { formatCount } from "#/lib/format.ts";
import { useToast } from "#/lib/toast.ts";
import { useAction } from "#/lib/use-action.ts";

/** The most rows in one file. */
const MAX_ROWS = 10_000;

type Props<T> = {
  label: string;
  file: string;
  /** The number of rows that the list has on all pages. */
  total: number;
  /** Reads the rows of all pages, in the order of the list. */
  rows(): AsyncIterable<T>;
  idOf(row: T): string;
  /** The columns of the file, in their order. */
  columns: Readonly<Record<string, (row: T) => CsvCell>>;
};

/** Saves the rows of a list as CSV: all that its filters leave, up to a limit, of which it tells. */
export function ExportButton<T>({ label, file, total, rows, idOf, columns }: Props<T>) {
  const toast = useToast();
  const { run: download, busy } = useAction(() => readRows(rows(), idOf), {
    onSuccess(items) {
      const lines = items.map((item) => Object.values(columns).map((cellOf) => cellOf(item)));
      downloadText(file, "text/csv", toCsv(Object.keys(columns), lines));
      if (total > items.length)
        toast({ title: t`The first ${formatCount(items.length)} of ${formatCount(total)} rows are in the file` });
    },
  });
  return (
    <button
      type="button"
      className="btn"
      disabled={total === 0 || busy}
      aria-busy={busy}
      onClick={() => void download(undefined)}
    >
      {busy ? t`Reading the rows …` : label}
    </button>
  );
}

/** Reads rows, each once: a row that is new moves those after it, so that the next page begins with one of the page before. */
async function readRows<T>(rows: AsyncIterable<T>, idOf: (row: T) => string): Promise<T[]> {
  const read = new Map<string, T>();
  for await (const row of rows) {
    read.set(idOf(row), row);
    if (read.size === MAX_ROWS) break;
  }
  return [...read.values()];
}
