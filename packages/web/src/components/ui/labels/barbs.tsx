import { t } from "@lingui/core/macro";

const MAX_BARBS = 8;

/** Concurrency units, drawn as the barbs of a feather: one for each, or in proportion where there are too many. */
export function Barbs({
  active,
  total = Math.max(active, 4),
  label,
}: {
  active: number;
  total?: number;
  label?: string;
}) {
  const shown = Math.min(total, MAX_BARBS);
  const filled = active === 0 ? 0 : Math.max(1, Math.round((active / total) * shown));
  const marks = Array.from({ length: shown }, (_, index) => ({ key: index, isFilled: index < filled }));
  // With an empty label the barbs are hidden from screen readers, because the text next to them says the same.
  const accessibility =
    label === "" ? { "aria-hidden": true } : { role: "img", "aria-label": label ?? t`${active} of ${total} units` };
  return (
    <span className="barbs" {...accessibility}>
      {marks.map(({ key, isFilled }) => (
        <i key={key} className={isFilled ? "on" : ""} />
      ))}
    </span>
  );
}
