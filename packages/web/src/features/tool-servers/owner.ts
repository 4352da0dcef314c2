import type { ToolServer, ToolServerSetRequest } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";

/** Whose servers of tools are managed: those of the user's organization, or those for everybody. */
export type Owner = "organization" | "everybody";

/** Returns the calls that change the servers of an owner. */
export const serversOf = (owner: Owner) => (owner === "everybody" ? feather.admin.toolServers : feather.toolServers);

const queriesOf = (owner: Owner) => (owner === "everybody" ? queries.admin.toolServers : queries.toolServers);

/** The servers of an owner. */
export const toolServersQuery = (owner: Owner) => queryOptions({ ...queriesOf(owner).list.queryOptions() });

/**
 * The tools of one server. It is asked each time they are opened, and not again while they are open, so that what was ticked
 * stays.
 */
export const serverToolsQuery = (owner: Owner, name: string) =>
  queryOptions({ ...queriesOf(owner).tools.queryOptions(name), staleTime: Number.POSITIVE_INFINITY, gcTime: 0 });

/**
 * Returns the keys of the queries that are refetched after a server of the owner has changed. The tools of a server are not
 * among them, so that the server is not asked again while they are being chosen.
 */
export const listChangedKeys = (owner: Owner) => [
  toolServersQuery(owner).queryKey,
  queries.tools.list.queryOptions().queryKey,
];

/** Returns the fields with which a server is set again as it is; its secret is kept. */
export const toRequest = ({ url, header_name, allowed_tools, is_enabled }: ToolServer): ToolServerSetRequest => ({
  ...{ url, header_name, allowed_tools, is_enabled },
});
