import type { FastifyReply, FastifyRequest } from "fastify";
import type { AccountDelays } from "../../http/account-delays.ts";
import { impersonatorOf, signedIn } from "../../http/actor.ts";
import type { AddressLimits } from "../../http/address-limits.ts";
import type { Handlers } from "../../http/bind.ts";
import type { DeviceCookie } from "../../http/device-cookie.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import { AppError } from "../../shared/errors.ts";
import type { Registration } from "../registration/registration.ts";
import { type BeginSession, createBeginSession } from "./begin-session.ts";
import type { EmailVerification } from "./email-verification.ts";
import type { IdentityRepository } from "./identity.repository.ts";
import type { Identity, SignIn, Visitor } from "./identity.usecases.ts";
import type { PasswordReset } from "./password-reset.ts";
import { type RegistrationStates, tidyState } from "./registration-state.ts";
import type { SecondFactor } from "./second-factor.ts";
import type { Sessions } from "./sessions.usecases.ts";
import type { SignInFailure, SignInLog } from "./sign-in-log.ts";
import type { UserPresenter } from "./user.present.ts";

type Deps = {
  identity: Identity;
  identities: IdentityRepository;
  sessions: Sessions;
  signInLog: SignInLog;
  registration: Registration;
  states: RegistrationStates;
  verification: EmailVerification;
  passwordReset: PasswordReset;
  secondFactor: SecondFactor;
  limits: AddressLimits;
  accountDelays: AccountDelays;
  presentUser: UserPresenter;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
};

/** Handlers of registration, sign-in, sign-out and the links that are sent by mail. */
export function identityRoutes(deps: Deps): Handlers {
  const {
    identity,
    identities,
    sessions,
    signInLog,
    registration,
    states,
    verification,
    passwordReset,
    secondFactor,
    limits,
    accountDelays,
  } = deps;
  const { presentUser, sessionCookie, deviceCookie } = deps;
  const signIn = createBeginSession(deps);

  /** Signs in the user of a link. A second factor is still required. */
  async function signInByLink(reply: FastifyReply, request: FastifyRequest, userId: string) {
    return answerSignIn(await identity.signIn(userId, visitor(request), "link"), reply, signIn);
  }

  return {
    "auth.me": ({ actor }) => {
      const user = signedIn(actor);
      return presentUser(user.userId, { organizationId: user.organizationId, impersonatedBy: impersonatorOf(user) });
    },

    "auth.state": async ({ body }) => ({ state: states.write(tidyState(body)) }),

    "auth.login": async ({ body, request, reply }) => {
      const account = body.email.toLowerCase();
      await limits.spend("login", request.ip, account);
      const device = await deviceCookie.read(request, () => identities.findByEmail(account));
      accountDelays.check(account, device);
      const answer = await identity.login(body.email, body.password, visitor(request)).catch((error: unknown) => {
        if (error instanceof AppError && error.code === "wrong_credentials") accountDelays.failed(account, device);
        throw error;
      });
      accountDelays.succeeded(account, device);
      return answerSignIn(answer, reply, signIn);
    },

    "auth.secondFactor": async ({ body, request, reply }) => {
      await limits.spend("code", request.ip);
      const delayed = (userId: string) => `second factor of ${userId}`;
      const deviceOf = (userId: string) => deviceCookie.read(request, () => identities.findWithOrganization(userId));
      const userId = await secondFactor.answer(body, {
        beforeCode: async (userId) => accountDelays.check(delayed(userId), await deviceOf(userId)),
        async wrong(userId, code) {
          if (code === "wrong_code") accountDelays.failed(delayed(userId), await deviceOf(userId));
          await signInLog.failed({ userId, email: null, ip: request.ip, reason: reasonOf(code) });
        },
      });
      accountDelays.succeeded(delayed(userId), await deviceOf(userId));
      return signIn(reply, await identity.startSession(userId, visitor(request), "second_factor"));
    },

    "auth.register": async ({ body, request, reply }) => {
      await limits.spend("register", request.ip);
      const wish = { email: body.email, password: body.password, invitation: body.invitation ?? null };
      const registered = await registration.register(wish, states.read(body.state), visitor(request), (error) =>
        request.log.error({ err: error }, "a registration was not completed"),
      );
      if ("session" in registered) return signIn(reply, registered.session);
      return reply.code(202).header("cache-control", "no-store").send(registered);
    },

    "auth.checkLink": async ({ body, request }) => {
      await limits.spend("verification", request.ip);
      return { usable: await identity.isLinkUsable(body.token, body.purpose) };
    },

    "auth.setup": async ({ body, request, reply }) => {
      await limits.spend("login", request.ip);
      return signIn(reply, await identity.setup(body.token, body.email, body.password, visitor(request)));
    },

    "auth.logout": async ({ actor, reply }) => {
      if (actor.kind === "user") await sessions.logout(actor);
      sessionCookie.clear(reply);
      sessionCookie.unmarkImpersonation(reply);
      return undefined;
    },

    "auth.verifyEmail": async ({ actor, body, request, reply }) => {
      await limits.spend("verification", request.ip);
      const token = body?.token;
      if (token !== undefined) return signInByLink(reply, request, await verification.verify(token, request.ip));
      await verification.resend(signedIn(actor).userId);
      return reply.code(204).send();
    },

    "auth.forgotPassword": async ({ body, request, reply }) => {
      await limits.spend("reset", request.ip, body.email.toLowerCase());
      passwordReset.forgot(body.email, (error) => request.log.error({ err: error }, "no reset link was sent"));
      return reply.send();
    },

    "auth.resetPassword": async ({ body, request, reply }) => {
      await limits.spend("reset", request.ip);
      const { token, password, end_keys: endKeys = true } = body;
      return signInByLink(reply, request, await passwordReset.reset({ token, password, endKeys }, request.ip));
    },
  };
}

/** Completes a sign-in, or replies 202 with the challenge for the second factor. */
export function answerSignIn(answer: SignIn, reply: FastifyReply, signIn: BeginSession) {
  if ("session" in answer) return signIn(reply, answer.session);
  const { hasTotp, passkey, challenge, expiresAt } = answer.question;
  return reply
    .code(202)
    .header("cache-control", "no-store")
    .send({
      second_factor: hasTotp ? "totp" : "passkey",
      methods: [...(hasTotp ? ["totp"] : []), ...(passkey ? ["passkey"] : []), "recovery_code"],
      challenge,
      expires_at: expiresAt.toISOString(),
      passkey,
    });
}

/** Maps the error code of a refused second factor to the reason in the sign-in log. */
function reasonOf(code: string): SignInFailure {
  return code === "wrong_passkey" || code === "passkey_counter" ? code : "wrong_code";
}

/** Returns the IP address and user agent of a request. */
export function visitor(request: FastifyRequest): Visitor {
  return { ip: request.ip, userAgent: request.headers["user-agent"] };
}
