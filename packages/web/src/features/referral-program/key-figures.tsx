import { Skeleton } from "#/components/ui/loading/skeleton.tsx";

/** Figures side by side, with placeholders while they load. */
export function KeyFigures({ items }: { items: readonly { label: string; value: string | null; note: string }[] }) {
  return (
    <div className="kpis mt-6">
      {items.map(({ label, value, note }) => (
        <div key={label}>
          <p className="label">{label}</p>
          <p className="v num">{value ?? <Skeleton width={80} height={28} />}</p>
          <p className="faint small">{note}</p>
        </div>
      ))}
    </div>
  );
}
