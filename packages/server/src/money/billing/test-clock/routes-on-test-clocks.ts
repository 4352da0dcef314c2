import type { Clock } from "../../../platform/core/clock.ts";
import type { Handlers, OperationId } from "../../../platform/core/http/handlers.ts";
import type { TestClockRepository } from "./test-clock.repository.ts";
import { clockAhead } from "./test-clock.usecases.ts";

type Deps = {
  testClockRepository: TestClockRepository;
  clock: Clock;
  /** Returns billing's routes with a clock. */
  createRoutes(clock: Clock): Handlers;
};
type AnyInput = { actor: { organizationId?: string }; path?: { token?: string } };
type AnyHandler = (input: AnyInput) => Promise<unknown>;

/**
 * Returns billing's routes, in which the calls of an organization whose time was advanced see its time. Calls of admins are
 * on the server's time, since they may be about any organization.
 */
export function createRoutesOnTestClocks(deps: Deps): Handlers {
  const { createRoutes, clock } = deps;
  const routes = createRoutes(clock);
  const follow = (id: OperationId): AnyHandler => {
    if (id.startsWith("admin.")) return routes[id] as AnyHandler;
    return async (input) => {
      const days = await findDaysAhead(deps, input);
      const handlers = days === 0 ? routes : createRoutes(clockAhead(clock, days));
      return (handlers[id] as AnyHandler)(input);
    };
  };
  return Object.fromEntries((Object.keys(routes) as OperationId[]).map((id) => [id, follow(id)]));
}

async function findDaysAhead({ testClockRepository }: Deps, { actor, path }: AnyInput): Promise<number> {
  if (path?.token !== undefined) return testClockRepository.findByPage(path.token);
  return actor.organizationId === undefined ? 0 : testClockRepository.find(actor.organizationId);
}
