import { can } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { Select } from "#/components/ui/controls/select.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { organizationsQuery } from "#/entities/session/organizations.ts";
import { useUser } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { ShareList } from "./share-list.tsx";

const DAYS = [1, 7, 30] as const;
type Days = (typeof DAYS)[number];

/** A chat to share. */
export type Sharing = {
  id: string;
  title: string;
  /** Loads the ids of the messages that are shown, in their order. */
  loadEntryIds(): Promise<string[]>;
};
type Props = { sharing: Sharing | null; onClose(): void };

/** Makes links to a chat, and lists those that there are. */
export function ShareDialog({ sharing, onClose }: Props) {
  return (
    <Dialog
      open={sharing !== null}
      onClose={onClose}
      title={t`Share by a link`}
      description={t`Everybody who has the link can read a copy of the chat as it is shown now, without an account. What you write later is not in it.`}
    >
      {sharing ? <ShareForm sharing={sharing} /> : null}
      <div className="actions">
        <button type="button" className="btn" onClick={onClose}>
          {t`Close`}
        </button>
      </div>
    </Dialog>
  );
}

function ShareForm({ sharing }: { sharing: Sharing }) {
  const { user } = useUser();
  const organizations = useQuery(organizationsQuery);
  const links = useQuery(queries.chatShares.list.queryOptions());
  const failed = [organizations, links].find(({ error, data }) => error && data === undefined);
  if (failed)
    return <LoadError subject={t`The list of links`} error={failed.error} retry={() => void failed.refetch()} />;
  if (!user || !organizations.data || !links.data) return <Skeleton height={120} />;
  const organization = organizations.data.items.find(({ id }) => id === user.organization.id);
  return (
    <>
      {organization?.chat_links ? (
        <NewLink sharing={sharing} />
      ) : (
        <p className="notice mt-4">
          {t`Your organization does not allow links to chats.`}{" "}
          {can(user, "manage_organization") ? (
            <Link className="link" to={paths.organization}>
              {t`Allow them for the organization`}
            </Link>
          ) : (
            t`One of its admins can change that.`
          )}
        </p>
      )}
      <ShareList shares={links.data.items.filter(({ conversation_id }) => conversation_id === sharing.id)} />
    </>
  );
}

function NewLink({ sharing }: { sharing: Sharing }) {
  const [days, setDays] = useState<Days>(7);
  const creation = useAction(
    async (input: { conversation_id: string; days: Days }, options) =>
      feather.chatShares.create({ ...input, entry_ids: await sharing.loadEntryIds() }, options),
    { success: () => t`The link is made`, invalidates: [queries.chatShares.key()] },
  );
  return (
    <>
      <p className="small muted mt-4">
        {t`In it: questions, answers and names of files. Not in it: what files hold, what models thought, tool calls, and your instructions.`}
      </p>
      <div className="row wrapping mt-4">
        <Select
          look="button"
          aria-label={t`When the link ends`}
          value={String(days)}
          options={DAYS.map((value) => ({
            value: String(value),
            label: plural(value, { one: "Ends after # day", other: "Ends after # days" }),
          }))}
          onChange={(value) => setDays(DAYS.find((one) => String(one) === value) ?? 7)}
        />
        <button
          type="button"
          className="btn primary"
          disabled={creation.busy}
          aria-busy={creation.busy}
          onClick={() => void creation.run({ conversation_id: sharing.id, days })}
        >
          {t`Make a link`}
        </button>
      </div>
    </>
  );
}
