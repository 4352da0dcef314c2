import type { FastifyReply, FastifyRequest } from "fastify";
import { impersonatorOf, requireSignedIn } from "../../platform/core/auth/actor.ts";
import { hasCode } from "../../platform/core/errors/index.ts";
import type { DeviceCookie } from "../../platform/core/http/device-cookie.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import type { SessionCookie } from "../../platform/core/http/session-cookie.ts";
import { matchLanguage } from "../../platform/core/languages/languages.ts";
import type { EmailVerificationUseCases } from "./account/email-verification.usecases.ts";
import type { PasswordResetUseCases } from "./account/password-reset.usecases.ts";
import type { AccountDelays } from "./sessions/account-delays.ts";
import type { AuthUseCases, ClientInfo, SignInResult } from "./sessions/auth.usecases.ts";
import { type CompleteSignIn, createCompleteSignIn } from "./sessions/complete-sign-in.ts";
import { type RegistrationStates, sanitizeState } from "./sessions/registration-state.ts";
import type { SecondFactorUseCases } from "./sessions/second-factor.usecases.ts";
import type { SessionUseCases } from "./sessions/sessions.usecases.ts";
import type { SignInFailure, SignInLog } from "./sign-in-log.ts";
import type { ToUserDto } from "./users/user.dto.ts";
import type { UsersRepository } from "./users/users.repository.ts";

type Deps = {
  auth: AuthUseCases;
  usersRepository: UsersRepository;
  sessions: SessionUseCases;
  signInLog: SignInLog;
  states: RegistrationStates;
  verification: EmailVerificationUseCases;
  passwordReset: PasswordResetUseCases;
  secondFactor: SecondFactorUseCases;
  limits: RateLimiter;
  accountDelays: AccountDelays;
  toUserDto: ToUserDto;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
};
type Context = Deps & { completeSignIn: CompleteSignIn };

/** The cookie that binds a registration with a provider to the browser in which it was started. */
export const REGISTRATION_COOKIE = "registration";

/** Handlers of sign-in, sign-out and the links that are sent by mail. */
export function createAuthRoutes(deps: Deps): Handlers {
  const context: Context = { ...deps, completeSignIn: createCompleteSignIn(deps) };
  return { ...createSignInRoutes(context), ...createSetupRoutes(context), ...createLinkRoutes(context) };
}

/** Handlers of sign-in, sign-out and the signed-in user. */
function createSignInRoutes(context: Context): Handlers {
  const { auth, usersRepository, sessions, signInLog, secondFactor, limits, accountDelays } = context;
  const { toUserDto, sessionCookie, deviceCookie, completeSignIn } = context;

  return {
    "auth.me": ({ actor }) => {
      const user = actor;
      return toUserDto(user.userId, { organizationId: user.organizationId, impersonatedBy: impersonatorOf(user) });
    },

    "auth.login": async ({ body, request, reply }) => {
      const account = body.email.toLowerCase();
      await limits.consume("login", request.ip, account);
      const device = await deviceCookie.read(request, () => usersRepository.findByEmail(account));
      await accountDelays.check(account, device);
      const result = await auth
        .login(body.email, body.password, toClientInfo(request))
        .catch(async (error: unknown) => {
          if (hasCode(error, "auth.wrong_credentials")) await accountDelays.recordFailure(account, device);
          throw error;
        });
      await accountDelays.recordSuccess(account, device);
      return sendSignInResult(result, reply, completeSignIn);
    },

    "auth.secondFactor": async ({ body, request, reply }) => {
      await limits.consume("code", request.ip);
      const toDelayKey = (userId: string) => `second factor of ${userId}`;
      const readDevice = (userId: string) =>
        deviceCookie.read(request, () => usersRepository.findWithOrganization(userId));
      const userId = await secondFactor.verifyAnswer(body, {
        beforeCode: async (userId) => accountDelays.check(toDelayKey(userId), await readDevice(userId)),
        async onWrongAnswer(userId, code) {
          if (code === "auth.wrong_code")
            await accountDelays.recordFailure(toDelayKey(userId), await readDevice(userId));
          await signInLog.recordFailedSignIn({ userId, email: null, ip: request.ip, reason: toFailureReason(code) });
        },
      });
      await accountDelays.recordSuccess(toDelayKey(userId), await readDevice(userId));
      return completeSignIn(reply, await auth.startSession(userId, toClientInfo(request), "second_factor"));
    },

    "auth.logout": async ({ actor, reply }) => {
      if (actor.kind === "user") await sessions.logout(actor);
      sessionCookie.clear(reply);
      sessionCookie.unmarkImpersonation(reply);
      return undefined;
    },
  };
}

/** Handlers of the state that registration starts with, and of the first admin's set-up. */
function createSetupRoutes({ auth, states, limits, completeSignIn }: Context): Handlers {
  return {
    "auth.state": async ({ body }) => ({ state: states.write(sanitizeState(body)) }),

    "auth.setup": async ({ body, request, reply }) => {
      await limits.consume("login", request.ip);
      return completeSignIn(reply, await auth.setup(body.token, body.email, body.password, toClientInfo(request)));
    },
  };
}

/** Handlers of the links that are sent by mail. */
function createLinkRoutes(context: Context): Handlers {
  const { auth, verification, passwordReset, limits } = context;

  return {
    "auth.checkLink": async ({ body, request }) => {
      await limits.consume("verification", request.ip);
      const { token, purpose } = body;
      if (purpose === "email_verification") {
        const proof = await verification.findRequiredProof(token);
        return { usable: proof !== null, ...(proof !== null && { proof }) };
      }
      return { usable: await auth.isLinkUsable(token, purpose) };
    },

    "auth.verifyEmail": async ({ actor, body, request, reply }) => {
      await limits.consume("verification", request.ip);
      const { token, password } = body ?? {};
      if (token !== undefined) {
        const browserSecret = request.cookies[REGISTRATION_COOKIE];
        const userId = await verification.verify(token, { actor, password, browserSecret }, request.ip);
        return signInByLink(context, reply, request, userId);
      }
      await verification.resend(requireSignedIn(actor).userId);
      return reply.code(204).send();
    },

    "auth.forgotPassword": async ({ body, request, reply }) => {
      await limits.consume("reset", request.ip, body.email.toLowerCase());
      passwordReset.requestReset(body.email, (error) => request.log.error({ err: error }, "no reset link was sent"));
      return reply.send();
    },

    "auth.resetPassword": async ({ body, request, reply }) => {
      await limits.consume("reset", request.ip);
      const { token, password, end_keys: endKeys = true } = body;
      return signInByLink(context, reply, request, await passwordReset.reset({ token, password, endKeys }, request.ip));
    },
  };
}

/** Signs in the user of a link. A second factor is still required. */
async function signInByLink(
  { auth, completeSignIn }: Context,
  reply: FastifyReply,
  request: FastifyRequest,
  userId: string,
) {
  return sendSignInResult(await auth.signIn(userId, toClientInfo(request), "link"), reply, completeSignIn);
}

/** Completes a sign-in, or replies 202 with the challenge for the second factor. */
export function sendSignInResult(result: SignInResult, reply: FastifyReply, completeSignIn: CompleteSignIn) {
  if ("session" in result) return completeSignIn(reply, result.session);
  const { hasTotp, passkey, challenge, expiresAt } = result.secondFactorChallenge;
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
function toFailureReason(code: string): SignInFailure {
  if (code === "passkeys.counter") return "passkey_counter";
  return code === "auth.wrong_passkey" ? "wrong_passkey" : "wrong_code";
}

/** Returns the IP address, user agent and language of a request. */
export function toClientInfo({ ip, headers }: FastifyRequest): ClientInfo {
  return { ip, userAgent: headers["user-agent"], language: matchLanguage(headers["accept-language"]) };
}
