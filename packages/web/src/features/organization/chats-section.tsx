import type { Organization, OrganizationUpdate } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Select } from "#/components/ui/controls/select.tsx";
import { organizationsQuery } from "#/entities/session/organizations.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";

type Props = {
  organizationId: string;
  /** Whether the user may decide it. */
  mayChange: boolean;
};

const STORAGES: readonly Organization["chat_storage"][] = ["server", "browser", "off"];
const RETENTION_DAYS = [1, 7, 30, 90, 365];

/** Where the organization keeps its members' chats, and for how long, which its admins decide. */
export function ChatsSection({ organizationId, mayChange }: Props) {
  const { data } = useQuery(organizationsQuery);
  const decide = useAction((change: OrganizationUpdate) => feather.organization.update(change), {
    success: () => t`The organization has decided`,
    invalidates: [queries.organization.key()],
  });
  const organization = data?.items.find(({ id }) => id === organizationId);
  if (!organization) return null;
  const { chat_storage: storage, chat_retention_days: days, chat_links: allowsLinks } = organization;
  return (
    <section className="mt-8" aria-labelledby="organization-chats">
      <h2 className="h4" id="organization-chats">
        {t`Where chats are kept`}
      </h2>
      <p className="muted mt-2 measure">{describe(storage)}</p>
      {mayChange ? (
        <div className="row wrapping mt-3">
          <Select
            look="button"
            aria-label={t`Where chats are kept`}
            value={storage}
            options={STORAGES.map((value) => ({ value, label: labelOf(value) }))}
            onChange={(value) => void decide.run({ chat_storage: value })}
          />
          {storage === "server" ? (
            <Select
              look="button"
              aria-label={t`How long chats are kept`}
              value={String(days ?? 0)}
              options={retentionOptions(days)}
              onChange={(value) => void decide.run({ chat_retention_days: Number(value) || null })}
            />
          ) : null}
          {storage === "server" ? (
            <Select
              look="button"
              aria-label={t`Whether chats may be shared by links`}
              value={allowsLinks ? "on" : "off"}
              options={[
                { value: "off", label: describeLinks(false) },
                { value: "on", label: describeLinks(true) },
              ]}
              onChange={(value) => void decide.run({ chat_links: value === "on" })}
            />
          ) : null}
        </div>
      ) : storage === "server" ? (
        <p className="muted mt-2">
          {describeRetention(days)} · {describeLinks(allowsLinks)}
        </p>
      ) : null}
    </section>
  );
}

function labelOf(storage: Organization["chat_storage"]): string {
  if (storage === "server") return t`On this server`;
  return storage === "browser" ? t`In each browser` : t`Nowhere`;
}

function describe(storage: Organization["chat_storage"]): string {
  if (storage === "server")
    return t`This server keeps the chats of each member, so that all their devices have them. They are encrypted with a key of the organization; the server itself can read them, other members and admins cannot.`;
  return storage === "browser"
    ? t`Each browser keeps its own chats. Other devices do not have them, and chats that the server keeps from before stay until they are deleted.`
    : t`Chats end when their tab is closed. Chats that are kept from before stay until they are deleted.`;
}

const describeLinks = (isAllowed: boolean): string =>
  isAllowed ? t`Members may share chats by links` : t`No links to chats`;

const describeRetention = (days: number | null): string =>
  days === null
    ? t`Kept until they are deleted`
    : plural(days, { one: "Deleted # day after the last change", other: "Deleted # days after the last change" });

function retentionOptions(current: number | null) {
  const known = current === null || RETENTION_DAYS.includes(current) ? RETENTION_DAYS : [...RETENTION_DAYS, current];
  return [
    { value: "0", label: describeRetention(null) },
    ...[...known].sort((a, b) => a - b).map((days) => ({ value: String(days), label: describeRetention(days) })),
  ];
}
