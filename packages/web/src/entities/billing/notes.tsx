import { t } from "@lingui/core/macro";
import { AsideNote } from "#/components/ui/aside-note.tsx";
import { Tag } from "#/components/ui/primitives.tsx";
import type { ReadOnlyReason } from "./use-billing-permission.ts";

/** Says that payments are tests. */
export function TestNote({ children }: { children?: string }) {
  return (
    <AsideNote isSmall>
      <Tag>{t`test`}</Tag> <span>{children ?? t`Payments on this server are tests. No money moves.`}</span>
    </AsideNote>
  );
}

/** Says why the user may not change anything here. Renders nothing where they may. */
export function ReadOnlyNote({ readOnlyReason }: { readOnlyReason: ReadOnlyReason }) {
  if (!readOnlyReason) return null;
  return <AsideNote role="note">{readOnlyReason.message}</AsideNote>;
}
