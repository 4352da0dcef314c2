import { t } from "@lingui/core/macro";
import { AsideNote } from "#/components/ui/feedback/aside-note.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";

/** Says that payments are tests. */
export function TestNote({ children }: { children?: string }) {
  return (
    <AsideNote isSmall>
      <Tag>{t`test`}</Tag> <span>{children ?? t`Payments on this server are tests. No money moves.`}</span>
    </AsideNote>
  );
}
