import { t } from "@lingui/core/macro";
import styles from "./chart.module.css";
import { formatSliceTime } from "./slice-time.ts";

/** A column of figures; `format` gives a value with its unit. */
export type FigureColumn = { id: string; name: string; format(value: number): string };
/** The figures of a time slice, one of each column; null where nothing was measured. `at` is as in `ChartSlice`. */
export type FigureRow = { at: string; values: readonly (number | null)[] };

type Props = { label: string; columns: readonly FigureColumn[]; rows: readonly FigureRow[] };

/** Figures over time as a table, with a dash where nothing was measured. */
export function FiguresTable({ label, columns, rows }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too
    <section className={styles.scrolled} tabIndex={0} aria-label={t`Figures: ${label}`}>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t`Time`}</th>
            {columns.map(({ id, name }) => (
              <th key={id} scope="col" className="numeric user-text">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, values }) => (
            <tr key={at}>
              <td className="num whitespace-nowrap">{formatSliceTime({ at })}</td>
              {columns.map(({ id, format }, index) => {
                const value = values[index] ?? null;
                return (
                  <td key={id} className="numeric">
                    {value === null ? "–" : format(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
