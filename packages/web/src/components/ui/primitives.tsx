import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import primitivesStyles from "./primitives.module.css";

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

/** A model id `owner/name` with the owner dimmed. */
export function ModelId({ id }: { id: string }) {
  const slash = id.indexOf("/") + 1;
  return (
    <span className="id">
      <span className={primitivesStyles.owner}>{id.slice(0, slash)}</span>
      {id.slice(slash)}
    </span>
  );
}

const TIER_LABELS: Readonly<Record<string, string>> = {
  warm: t`warm`,
  loading: t`loading`,
  cold: t`cold`,
  offline: t`offline`,
};

/** Returns the label of an availability tier; an unknown tier is returned unchanged. */
export const tierLabel = (tier: string): string => TIER_LABELS[tier] ?? tier;

/** A state as a coloured dot with a label. */
export function StateBadge({ tier, children }: { tier: string; children?: ReactNode }) {
  return <span className={`state ${tier}`}>{children ?? tierLabel(tier)}</span>;
}

/** A small label, such as `test` or `secret`. */
export function Tag({ children }: { children: ReactNode }) {
  return <span className="tag">{children}</span>;
}

/** A placeholder for content that is being loaded; sizes in pixels or CSS units. */
export function Skeleton({ width = "100%", height = 14 }: { width?: number | string; height?: number }) {
  // An SVG, because the Content Security Policy allows its size attributes in prerendered HTML, but no inline styles.
  return <svg className={primitivesStyles.skeleton} width={width} height={height} aria-hidden="true" />;
}

/** Replaces an empty list: it says what the list is for, and how to add the first item. */
export function EmptyState({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={primitivesStyles.empty}>
      <h2 className="h3">{title}</h2>
      <p>{children}</p>
      {action ? <div className="row">{action}</div> : null}
    </div>
  );
}

/** The product logo: a feather. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M20.2 3.8C13 3.4 7.4 7.4 6.3 14.1L5.8 18l3.9-.5c6.700-1 10.800-6.500 10.500-13.700Z" />
      <path d="M3.5 20.5 14.800 9.2" />
      <path d="M9 14.900h5.300M12.200 11.800h5.300" />
    </svg>
  );
}

/** One star of a rating, filled or not. */
export function Star({ filled, size = 16 }: { filled: boolean; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={filled ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="m12 3.2 2.7 5.6 6.1.8-4.5 4.2 1.1 6.1-5.400-3-5.400 3 1.1-6.1L3.200 9.600l6.100-.8Z" />
    </svg>
  );
}
