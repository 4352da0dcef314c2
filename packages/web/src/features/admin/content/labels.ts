import type { ContentSummary } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** Names of where posts and pages come from. */
export const SOURCES: Readonly<Record<ContentSummary["source"], string>> = {
  editor: t`Written here`,
  folder: t`File of the data folder`,
  built_in: t`Comes with Feather`,
};
/** Names of what they are. */
export const KINDS: Readonly<Record<ContentSummary["kind"], string>> = { post: t`Post`, page: t`Page` };
/** Names of their states. */
export const STATES: Readonly<Record<ContentSummary["state"], { label: string; tier: string }>> = {
  draft: { label: t`Draft`, tier: "offline" },
  scheduled: { label: t`Scheduled`, tier: "loading" },
  published: { label: t`Published`, tier: "good" },
};

/** The path of a post or page on the site. */
export const toSitePath = ({ kind, slug }: Pick<ContentSummary, "kind" | "slug">): string =>
  kind === "post" ? `/blog/${slug}` : `/${slug}`;
