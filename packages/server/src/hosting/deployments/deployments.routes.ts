import { type Actor, requireSignedIn } from "../../platform/core/auth/actor.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import { modelIdOf } from "../../platform/core/models/model-keys.ts";
import { type LogStreamOptions, streamLogs } from "./deployment-logs.ts";
import type { DeploymentServices } from "./deployment-services.ts";
import { deploymentUrl, toAdminDeploymentDto, toDeploymentDto } from "./deployments.dto.ts";
import type { DeploymentRow } from "./deployments.repository.ts";

const DEFAULT_LOG_TAIL = 200;

type Deps = { services: DeploymentServices; publicUrl: string; lifecycle: { draining: boolean } };
type Lookups = Pick<DeploymentServices, "deploymentsRepository">;

/** Handlers of `deployments.*` and `admin.deployments.*`. */
export function deploymentRoutes(deps: Deps): Handlers {
  return { ...ownerRoutes(deps), ...loginRoutes(deps), ...observationRoutes(deps), ...adminRoutes(deps) };
}

/** Handlers that list and change the deployments of the caller's organization. */
function ownerRoutes({ services, publicUrl }: Deps): Handlers {
  const { deployments, providers } = services;
  const toDto = (row: DeploymentRow) => toDeploymentDto(row, publicUrl);

  return {
    "deployments.providers": async () => ({ items: providers.describe() }),
    "deployments.list": async ({ actor, query }) => {
      const { items, ...rest } = await listDeployments(services, actor.organizationId, query);
      return { items: items.map(toDto), ...rest };
    },
    "deployments.get": async ({ actor, path }) => toDto(await getDeployment(services, actor, path.id)),

    "deployments.create": async ({ actor, body }) => {
      const { row, token } = await deployments.create(actor, body);
      return { ...toDto(row), token };
    },
    "deployments.update": async ({ actor, path, body }) => toDto(await deployments.update(actor, path.id, body)),
    "deployments.delete": async ({ actor, path }) => {
      await deployments.delete(actor, path.id);
      return undefined;
    },
    "deployments.pause": async ({ actor, path }) => toDto(await deployments.pause(actor, path.id)),
    "deployments.resume": async ({ actor, path }) => toDto(await deployments.resume(actor, path.id)),
    "deployments.rotateToken": async ({ actor, path }) => ({
      token: await deployments.rotateToken(actor, path.id),
    }),
  };
}

/** Handlers of the login links to the page of a deployment. */
function loginRoutes({ services: { deployments, tokens }, publicUrl }: Deps): Handlers {
  return {
    "deployments.login": async ({ actor, path }) => {
      const { token, expiresAt } = await deployments.login(actor, path.id);
      const url = `${publicUrl}/deployments/open?login=${token}`;
      return { url, token, expires_at: expiresAt.toISOString() };
    },
    "deployments.redeemLogin": async ({ body }) => {
      const { deployment, token, expiresAt } = await tokens.redeem(body.token);
      const { id, name, model_id: modelKey } = deployment;
      const url = deploymentUrl(publicUrl, id);
      return {
        deployment_id: id,
        name,
        model_id: modelIdOf(modelKey),
        url,
        token,
        expires_at: expiresAt.toISOString(),
      };
    },
  };
}

/** Handlers of the observed state of a deployment: replicas, events, logs and metrics. */
function observationRoutes({ services, lifecycle }: Deps): Handlers {
  const { deploymentsRepository, providers, metrics } = services;

  return {
    "deployments.replicas": async ({ actor, path }) => {
      const { id, provider_id, generation } = await getDeployment(services, actor, path.id);
      const observed = await providers.get(provider_id)?.observe(id);
      const items = (observed?.replicas ?? []).map(({ endpoint: _, ...replica }) => replica);
      return { generation, items };
    },
    "deployments.events": async ({ actor, path }) => {
      const { id } = await getDeployment(services, actor, path.id);
      const events = await deploymentsRepository.listEvents(id);
      const items = events.map(({ state, message, happened_at }) => ({
        state: state as ReturnType<typeof toDeploymentDto>["state"],
        message,
        happened_at: happened_at.toISOString(),
      }));
      return { items };
    },
    "deployments.logs": async ({ actor, path, query, request, reply }) => {
      const { id, provider_id } = await getDeployment(services, actor, path.id);
      const provider = providers.get(provider_id);
      const lines = [...((await provider?.logs(id, query.tail ?? DEFAULT_LOG_TAIL)) ?? [])];
      if (!provider || !request.headers.accept?.includes("text/event-stream")) return { lines };
      const follow: LogStreamOptions["follow"] = (onLine, onEnd) => provider.follow(id, onLine, onEnd);
      return streamLogs(reply, { lines, follow, isDraining: () => lifecycle.draining, recheck: request.recheck });
    },
    "deployments.metrics": async ({ actor, path, query }) =>
      metrics(await getDeployment(services, actor, path.id), query),
  };
}

/** Handlers of `admin.deployments.*`. */
function adminRoutes({ services, publicUrl }: Deps): Handlers {
  const { deploymentsRepository, deployments } = services;

  async function toAdminDtos(items: readonly DeploymentRow[]) {
    const names = await deploymentsRepository.findNames(items.map(({ id }) => id));
    return items.map((row) => toAdminDeploymentDto(row, names.get(row.id), publicUrl));
  }

  return {
    "admin.deployments.list": async ({ query }) => {
      const { items, ...rest } = await listDeployments(services, null, query);
      return { items: await toAdminDtos(items), ...rest };
    },
    "admin.deployments.get": async ({ path }) => {
      const row = await deploymentsRepository.find(path.id);
      if (!row) throw errors.deployments.notFound();
      const [dto] = await toAdminDtos([row]);
      if (!dto) throw errors.deployments.notFound();
      return dto;
    },
    "admin.deployments.redeploy": async ({ actor, body }) => ({
      results: await deployments.redeploy(actor, body.ids),
    }),
  };
}

/** Returns a deployment of the caller's organization. Throws `deployments.not_found`. */
async function getDeployment({ deploymentsRepository }: Lookups, actor: Actor, id: string): Promise<DeploymentRow> {
  const row = await deploymentsRepository.findInOrganization(requireSignedIn(actor).organizationId, id);
  if (!row) throw errors.deployments.notFound();
  return row;
}

/** Returns a page of deployments of an organization; of all organizations if it is null. */
async function listDeployments(
  { deploymentsRepository }: Lookups,
  organizationId: string | null,
  query: Parameters<typeof parsePage>[0],
) {
  const page = parsePage(query);
  const [items, total] = await Promise.all([
    deploymentsRepository.list(organizationId, page.limit, page.offset),
    deploymentsRepository.count(organizationId),
  ]);
  return { items, pagination: toPagination(page, total) };
}
