import { t } from "@lingui/core/macro";
import { Tag } from "#/components/ui/bits.tsx";
import type { Barrier } from "./permission.ts";

/** Says that payments are tests. */
export function TestNote({ children }: { children?: string }) {
  return (
    <p className="aside-note small">
      <Tag>{t`test`}</Tag> <span>{children ?? t`Payments on this server are tests. No money moves.`}</span>
    </p>
  );
}

/** Says why the user may not change anything here. Renders nothing where they may. */
export function BarrierNote({ barrier }: { barrier: Barrier }) {
  if (!barrier) return null;
  return (
    <p className="aside-note" role="note">
      {barrier.words}
    </p>
  );
}
