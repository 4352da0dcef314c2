import { can, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { paths } from "#/config/paths.ts";
import { organizationsQuery } from "#/entities/session/organizations.ts";
import { listRecentChats } from "#/features/chat/history/recent-chats.ts";
import { promptsQuery } from "#/features/chat/library/queries.ts";
import { deploymentsQuery } from "#/features/deployments/queries.ts";
import { membersQuery } from "#/features/organization/queries.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { type Command, scoreCommand } from "./commands.ts";

/** A kind of things of a user or their organization that the palette finds by name. */
export type OwnSource = {
  kind: string;
  /** What its things are called together. */
  name: string;
  /** Whether the user may read them. */
  mayRead(user: User): boolean;
  /** Reads at most `MAX_READ` of them, newest first where they have an order in time. */
  read(client: QueryClient, user: User): Promise<Command[]>;
};

/** How many things of a kind are read. */
const MAX_READ = 500;
/** How many things of a kind are shown. */
const MAX_FOUND = 5;

type OwnThing = { id: string; label: string; hint: string; to: string; keywords?: string };

const toCommand = ({ to, ...thing }: OwnThing): Command => ({ ...thing, group: "Yours", action: { type: "go", to } });

/** Admins who act as a user see none of what that user alone may read. */
const isOneself = (user: User): boolean => !user.impersonated_by;

/** What the palette finds besides pages, acts and models. */
export const OWN_SOURCES: readonly OwnSource[] = [
  { kind: "keys", name: t`API keys`, mayRead: () => true, read: readKeys },
  { kind: "chats", name: t`chats`, mayRead: isOneself, read: readChats },
  { kind: "deployments", name: t`deployments`, mayRead: () => true, read: readDeployments },
  { kind: "members", name: t`members`, mayRead: () => true, read: readMembers },
  {
    kind: "collections",
    name: t`collections`,
    mayRead: (user) => isOneself(user) && can(user, "call_models"),
    read: readCollections,
  },
  { kind: "prompts", name: t`prompts`, mayRead: isOneself, read: readPrompts },
];

async function readKeys(): Promise<Command[]> {
  const found: Command[] = [];
  for await (const { id, name } of feather.apiKeys.list({ perPage: 100 })) {
    const to = `${paths.apiKeys}?${new URLSearchParams({ search: name })}`;
    found.push(toCommand({ id: `key ${id}`, label: name, hint: t`API key`, keywords: id, to }));
    if (found.length >= MAX_READ) break;
  }
  return found;
}

async function readChats(client: QueryClient, { id: userId, organization }: User): Promise<Command[]> {
  const { items } = await client.fetchQuery(organizationsQuery);
  const storage = items.find(({ id }) => id === organization.id)?.chat_storage ?? "browser";
  const chats = await listRecentChats(userId, storage, MAX_READ);
  return chats
    .filter(({ title }) => title !== "")
    .map(({ id, title }) =>
      toCommand({ id: `chat ${id}`, label: title, hint: t`Chat`, to: `/chat?c=${encodeURIComponent(id)}` }),
    );
}

async function readDeployments(client: QueryClient): Promise<Command[]> {
  const deployments = await client.fetchQuery(deploymentsQuery);
  return deployments.slice(0, MAX_READ).map(({ id, name, model_id }) =>
    toCommand({
      id: `deployment ${id}`,
      label: name,
      hint: t`Deployment`,
      keywords: `${id} ${model_id}`,
      to: paths.deployment(id),
    }),
  );
}

async function readMembers(client: QueryClient): Promise<Command[]> {
  const { items } = await client.fetchQuery(membersQuery);
  return items.slice(0, MAX_READ).map(({ user_id, name, email }) =>
    toCommand({
      id: `member ${user_id}`,
      label: name,
      hint: t`Member`,
      keywords: email,
      to: `${paths.organization}?${new URLSearchParams({ search: email })}`,
    }),
  );
}

async function readCollections(client: QueryClient): Promise<Command[]> {
  const { items } = await client.fetchQuery(queries.collections.list.queryOptions());
  return items.slice(0, MAX_READ).map(({ id, name }) =>
    toCommand({
      id: `collection ${id}`,
      label: name,
      hint: t`Collection`,
      to: paths.collection(id),
    }),
  );
}

async function readPrompts(client: QueryClient): Promise<Command[]> {
  const { items } = await client.fetchQuery(promptsQuery);
  return items.slice(0, MAX_READ).map(({ id, name, kind, owner }) =>
    toCommand({
      id: `prompt ${id}`,
      label: name,
      hint: kind === "persona" ? t`Persona` : t`Prompt`,
      to: owner === "organization" ? paths.organizationPrompts : paths.prompts,
    }),
  );
}

/** Returns the things of a kind that fit the typed words best: at most `MAX_FOUND`. */
export const findOwnThings = (things: readonly Command[], typed: string): Command[] =>
  things
    .map((thing) => ({ thing, score: scoreCommand(thing, typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ thing }) => thing);
