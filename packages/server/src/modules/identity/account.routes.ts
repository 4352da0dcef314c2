import { impersonatorOf, type SignedIn, signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import type { Clock } from "../../shared/clock.ts";
import type { AccountUseCases } from "./account.usecases.ts";
import type { UserPresenter } from "./user.present.ts";

type Deps = { account: AccountUseCases; presentUser: UserPresenter; sessionCookie: SessionCookie; clock: Clock };

export function accountRoutes({ account, presentUser, sessionCookie, clock }: Deps): Handlers {
  const present = (user: SignedIn) =>
    presentUser(user.userId, { organizationId: user.organizationId, impersonatedBy: impersonatorOf(user) });

  return {
    "account.update": async ({ actor, body }) => {
      const user = signedIn(actor);
      await account.update(user.userId, body);
      return present(user);
    },

    "account.delete": async ({ actor, body, reply }) => {
      await account.delete(signedIn(actor), body?.password);
      sessionCookie.clear(reply);
      return undefined;
    },

    "account.export": async ({ actor, reply }) => {
      const user = signedIn(actor);
      reply.header("content-disposition", 'attachment; filename="account.json"').header("cache-control", "no-store");
      const kept = await account.export(user.userId);
      const text = JSON.stringify({ exported_at: clock.now().toISOString(), user: await present(user), ...kept });
      return reply.type("application/json").send(text);
    },
  };
}
