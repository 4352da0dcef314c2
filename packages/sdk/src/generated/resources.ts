/** A method for every operation of the contract. Generated; do not edit. */
import type { ApiPromise, PagedPromise } from "../api-promise.ts";
import type { Body, Query, RequestOptions, Result, Streamed, Streaming, StreamOf, Whole } from "../types.ts";

export interface Resources {
  v1: {
    models: {
      /** List models. OpenAI's list of at most 10,000 models, warm ones first. With `page` or `per_page` it returns a page and adds `pagination`. Where there are more models, `links.next` is the address of the next page. `GET /v1/models` */
      list(query?: Query<"v1.models.list">, options?: RequestOptions): ApiPromise<Result<"v1.models.list">>;
      /** Get a model. One model in OpenAI's format. `GET /v1/models/{id}` */
      get(id: string, options?: RequestOptions): ApiPromise<Result<"v1.models.get">>;
    };
  };
  chat: {
    completions: {
      /** Create a chat completion. Sends a conversation to a model and returns its answer, as one object or as a stream of events that ends with `data: [DONE]`. An error within a stream is an event `data: {"error": …}`, after which the connection closes without `[DONE]`. The call holds the model's units while it runs. `POST /v1/chat/completions` */
      create(body: Streaming<Body<"chat.completions.create">>, options?: RequestOptions): ApiPromise<StreamOf<"chat.completions.create">>;
      /** Create a chat completion. Sends a conversation to a model and returns its answer, as one object or as a stream of events that ends with `data: [DONE]`. An error within a stream is an event `data: {"error": …}`, after which the connection closes without `[DONE]`. The call holds the model's units while it runs. `POST /v1/chat/completions` */
      create(body: Whole<Body<"chat.completions.create">>, options?: RequestOptions): ApiPromise<Result<"chat.completions.create">>;
    };
  };
  completions: {
    /** Create a completion. Continues one or several texts. Each text counts as a call and holds its own units. `POST /v1/completions` */
    create(body: Streaming<Body<"completions.create">>, options?: RequestOptions): ApiPromise<StreamOf<"completions.create">>;
    /** Create a completion. Continues one or several texts. Each text counts as a call and holds its own units. `POST /v1/completions` */
    create(body: Whole<Body<"completions.create">>, options?: RequestOptions): ApiPromise<Result<"completions.create">>;
  };
  embeddings: {
    /** Create embeddings. Returns a vector for each text. A batch counts as one call. `POST /v1/embeddings` */
    create(body: Body<"embeddings.create">, options?: RequestOptions): ApiPromise<Result<"embeddings.create">>;
  };
  tokenize: {
    /** Count tokens. Splits a text into the tokens of a model, without begin and end markers. Requires a backend with a tokenizer; otherwise the response is 400 `unsupported_parameter`. Holds no units. `POST /v1/tokenize` */
    create(body: Body<"tokenize.create">, options?: RequestOptions): ApiPromise<Result<"tokenize.create">>;
  };
  plan: {
    /** Get the caller's plan. The limits that apply to this key. `null` means no limit. `GET /v1/plan` */
    get(options?: RequestOptions): ApiPromise<Result<"plan.get">>;
  };
  responses: {
    /** Create a response. OpenAI's Responses call without stored state, translated to a chat completion. `previous_response_id` and `store: true` are rejected. A stream ends with exactly one of `response.completed`, `response.incomplete` and `response.failed`; a model's reasoning is the summary of a `reasoning` item. `POST /v1/responses` */
    create(body: Streaming<Body<"responses.create">>, options?: RequestOptions): ApiPromise<StreamOf<"responses.create">>;
    /** Create a response. OpenAI's Responses call without stored state, translated to a chat completion. `previous_response_id` and `store: true` are rejected. A stream ends with exactly one of `response.completed`, `response.incomplete` and `response.failed`; a model's reasoning is the summary of a `reasoning` item. `POST /v1/responses` */
    create(body: Whole<Body<"responses.create">>, options?: RequestOptions): ApiPromise<Result<"responses.create">>;
  };
  messages: {
    /** Create a message. Anthropic's Messages call, translated to a chat completion. Keys are also accepted in `x-api-key`. Errors have Anthropic's format, within a stream as well. `POST /v1/messages` */
    create(body: Streaming<Body<"messages.create">>, options?: RequestOptions): ApiPromise<StreamOf<"messages.create">>;
    /** Create a message. Anthropic's Messages call, translated to a chat completion. Keys are also accepted in `x-api-key`. Errors have Anthropic's format, within a stream as well. `POST /v1/messages` */
    create(body: Whole<Body<"messages.create">>, options?: RequestOptions): ApiPromise<Result<"messages.create">>;
    /** Count the tokens of a Messages request. Counts the input tokens of a request without calling the model. Exact for the texts where the backend has a tokenizer, an estimate otherwise. The chat template is not counted. `POST /v1/messages/count_tokens` */
    countTokens(body: Body<"messages.countTokens">, options?: RequestOptions): ApiPromise<Result<"messages.countTokens">>;
  };
  preflight: {
    /** Check whether a call would be admitted. Returns whether a call to a model would be admitted now, and what it would take in units, context and credits. Reserves nothing and loads no model; the result may change at any time. `POST /v1/preflight` */
    create(body: Body<"preflight.create">, options?: RequestOptions): ApiPromise<Result<"preflight.create">>;
  };
  concurrency: {
    /** Get units in use. The units that the organization is using now, and the requests that hold them. `GET /account/concurrency` */
    get(options?: RequestOptions): ApiPromise<Result<"concurrency.get">>;
    /** Stream units in use. The same as a stream: one event at once, then one every two seconds. `GET /account/concurrency/stream` */
    stream(options?: RequestOptions): ApiPromise<StreamOf<"concurrency.stream">>;
  };
  models: {
    /** List models. The catalogue, searched, filtered and sorted. Values of one filter are alternatives, except tags, which must all match; different filters are combined. Without `sort`, exact ids come first, then warm models, then the newest. Counts are exact up to 10,000 models; beyond that, `total_items` and the facets' counts are estimates. `GET /feather/models` */
    list(query?: Query<"models.list">, options?: RequestOptions): PagedPromise<Result<"models.list">>;
    /** Get a model. One model with its readme. `scrape=1`, for signed-in callers, imports an unknown model from the model hub into the catalogue; a model that the hub does not have is looked up at most once a day. When several classes fit, the response is 409 `model_class_ambiguous` with the candidates, and `model_class` selects one. A repository that cannot be served gets 409 `model_incompatible` with the rules it breaks, and a gated one 403 `hub.gated`. `GET /feather/models/{id}` */
    get(id: string, query?: Query<"models.get">, options?: RequestOptions): ApiPromise<Result<"models.get">>;
    /** Request a model. Requests that a model of the hub be added to the catalogue, or that one of the catalogue be run. One request for each organization and model; repeating it returns the same. Admins of the server decide on it; nothing is deployed automatically. A repository that cannot be served is rejected with the rules that it breaks. `POST /feather/models/{id}` */
    request(id: string, body: Body<"models.request">, options?: RequestOptions): ApiPromise<Result<"models.request">>;
    /** Unlock a gated model. Checks with the hub that the token may read the repository, and stores the result for the organization. Platform admins may skip the check by leaving the token out. Unlocking again returns the first unlock. `POST /feather/models/{id}/unlock` */
    unlock(id: string, body: Body<"models.unlock">, options?: RequestOptions): ApiPromise<Result<"models.unlock">>;
    /** List families. Families of models and their sub-types, with the number of models of each. `GET /feather/families` */
    families(options?: RequestOptions): ApiPromise<Result<"models.families">>;
    /** List classes. Classes of models that run alike and cost the same number of units. `GET /feather/classes` */
    classes(options?: RequestOptions): ApiPromise<Result<"models.classes">>;
    /** List popular models. Models by requests on this server in the last seven days. `GET /feather/popular` */
    popular(options?: RequestOptions): ApiPromise<Result<"models.popular">>;
    /** List releases. Release dates, newest first, with the models of each. `GET /feather/releases` */
    releases(query?: Query<"models.releases">, options?: RequestOptions): PagedPromise<Result<"models.releases">>;
    /** Get platform statistics. Current figures of the platform. `GET /feather/stats` */
    stats(options?: RequestOptions): ApiPromise<Result<"models.stats">>;
    reviews: {
      /** List reviews. The reviews of a model, with a summary. `GET /feather/models/{id}/reviews` */
      list(id: string, query?: Query<"models.reviews.list">, options?: RequestOptions): PagedPromise<Result<"models.reviews.list">>;
      /** Write a review. One review for each user and model: a second one replaces the first. `POST /feather/models/{id}/reviews` */
      create(id: string, body: Body<"models.reviews.create">, options?: RequestOptions): ApiPromise<Result<"models.reviews.create">>;
      /** Delete a review. Deletes the caller's own review. `DELETE /feather/models/{id}/reviews/{reviewId}` */
      delete(id: string, reviewId: string, options?: RequestOptions): ApiPromise<Result<"models.reviews.delete">>;
      /** Mark a review as helpful. One vote for each user and review, except one's own. `helpful` sets or removes the vote; without a body the vote is toggled. `POST /feather/models/{id}/reviews/{reviewId}/helpful` */
      helpful(id: string, reviewId: string, body?: Body<"models.reviews.helpful">, options?: RequestOptions): ApiPromise<Result<"models.reviews.helpful">>;
      /** Report a review. Reports a review to the admins. `POST /feather/models/{id}/reviews/{reviewId}/report` */
      report(id: string, reviewId: string, body: Body<"models.reviews.report">, options?: RequestOptions): ApiPromise<Result<"models.reviews.report">>;
      /** List review tags. The tags that reviews may have, in the operator's order. `GET /feather/review-tags` */
      tags(options?: RequestOptions): ApiPromise<Result<"models.reviews.tags">>;
    };
    /** Save a model. Adds a model to the caller's saved models. `PUT /feather/models/{id}/favorite` */
    favorite(id: string, options?: RequestOptions): ApiPromise<Result<"models.favorite">>;
    /** Unsave a model. Removes a model from the caller's saved models. `DELETE /feather/models/{id}/favorite` */
    unfavorite(id: string, options?: RequestOptions): ApiPromise<Result<"models.unfavorite">>;
    /** List saved models. The caller's saved models. `GET /feather/favorites` */
    favorites(options?: RequestOptions): ApiPromise<Result<"models.favorites">>;
  };
  status: {
    /** Get error rates. Requests, errors and speed of each model class over the last hour, from real requests. `GET /feather/status/error-rates` */
    errorRates(query?: Query<"status.errorRates">, options?: RequestOptions): ApiPromise<Result<"status.errorRates">>;
    /** Get the last 24 hours. Requests, errors and speed in each of the last 24 hours, from real requests, earliest first, including hours without requests. `GET /feather/status/history` */
    history(query?: Query<"status.history">, options?: RequestOptions): ApiPromise<Result<"status.history">>;
    /** List incidents. Open incidents, and those of the last 90 days, newest first. `GET /feather/status/incidents` */
    incidents(options?: RequestOptions): ApiPromise<Result<"status.incidents">>;
  };
  auth: {
    /** Get the signed-in user. The user that the credential belongs to, with organization and plan. `GET /auth/me` */
    me(options?: RequestOptions): ApiPromise<Result<"auth.me">>;
    /** Log in. Sets the session cookie, and ends the session that the request came with. Programs without cookies request the session token with the header `x-session-transport` and send it as bearer token. `POST /auth/login` */
    login(body: Body<"auth.login">, options?: RequestOptions): ApiPromise<Result<"auth.login">>;
    /** Finish a login with a second factor. Takes one of: a code of the authenticator app, a recovery code, or a passkey's response to the options in the challenge. Signs in as `auth.login` does. A challenge ends after five wrong attempts, and wrong codes delay further ones. `POST /auth/login/second-factor` */
    secondFactor(body: Body<"auth.secondFactor">, options?: RequestOptions): ApiPromise<Result<"auth.secondFactor">>;
    /** Sign up. Creates an account with its own organization on the free plan, and signs in. Where a mail server is configured the response is 202 instead, whether the e-mail is registered or not: a link sent there continues. An invitation for this e-mail signs in at once. `registration` of system.config says who may sign up; others get `registration_closed` or `invitation_required`. `POST /auth/register` */
    register(body: Body<"auth.register">, options?: RequestOptions): ApiPromise<Result<"auth.register">>;
    /** Sign a registration state. Returns the `state` for a registration: the page to return to, the referral code and the campaign. A page of another site is ignored. `POST /auth/state` */
    state(body: Body<"auth.state">, options?: RequestOptions): ApiPromise<Result<"auth.state">>;
    /** Log out. Ends the session and clears the cookie. Does nothing without a session. `POST /auth/logout` */
    logout(options?: RequestOptions): ApiPromise<Result<"auth.logout">>;
    /** Verify the e-mail address. With a token: verifies the address and signs in. Without: sends the message again, at most once a minute. `POST /auth/email-verification` */
    verifyEmail(body?: Body<"auth.verifyEmail">, options?: RequestOptions): ApiPromise<Result<"auth.verifyEmail">>;
    /** Unlink a sign-in provider. Fails when it is the only way to sign in. Requires the password, or a recent sign-in where the account has none. The owner is notified by mail. `DELETE /auth/{provider}` */
    disconnect(provider: string, body?: Body<"auth.disconnect">, options?: RequestOptions): ApiPromise<Result<"auth.disconnect">>;
    /** Request a new password. Sends a link to set a new password. The response is the same whether the address is known or not. `POST /auth/forgot-password` */
    forgotPassword(body: Body<"auth.forgotPassword">, options?: RequestOptions): ApiPromise<Result<"auth.forgotPassword">>;
    /** Set a new password. Takes the token from the message, which works once within an hour. Ends all sessions of the account, all grants of applications, and recently created API keys and deployment tokens. A mail lists what has ended. `POST /auth/reset-password` */
    resetPassword(body: Body<"auth.resetPassword">, options?: RequestOptions): ApiPromise<Result<"auth.resetPassword">>;
    /** Check whether a trial is possible. Whether the organization may start a trial: a plan offers one; the e-mail is verified and, including its aliases, had none before; nothing was paid before; and the stored card had none. `GET /auth/trial-eligibility` */
    trialEligibility(options?: RequestOptions): ApiPromise<Result<"auth.trialEligibility">>;
    /** Check a link. Returns whether the token of a one-time link can still be used, without using it. A token of another purpose, or an unknown one, counts as used. `POST /auth/link` */
    checkLink(body: Body<"auth.checkLink">, options?: RequestOptions): ApiPromise<Result<"auth.checkLink">>;
    /** Create the first admin. Takes the token of the one-time link that the server prints at its start. It works for an hour, and only while there is no admin. `POST /auth/setup` */
    setup(body: Body<"auth.setup">, options?: RequestOptions): ApiPromise<Result<"auth.setup">>;
    /** List sign-in providers. The configured sign-in providers. `GET /auth/providers` */
    providers(options?: RequestOptions): ApiPromise<Result<"auth.providers">>;
    /** Start signing in with a provider. Returns the address to send the browser to. To link a provider to an existing account, use auth.link. `GET /auth/{provider}/connect` */
    connect(provider: string, query?: Query<"auth.connect">, options?: RequestOptions): ApiPromise<Result<"auth.connect">>;
    /** Start linking a provider. Returns the address to send the browser to. The account at the provider can then sign in to this one. Requires the password, or a recent sign-in where the account has none. The owner is notified by mail. `POST /auth/{provider}/connect` */
    link(provider: string, body: Body<"auth.link">, options?: RequestOptions): ApiPromise<Result<"auth.link">>;
    /** Finish signing in with a provider. Takes the parameters that the provider sent back. A flow started by auth.link links the provider, in the session that started it; any other one signs the user in, and ends the session that the request came with. `POST /auth/{provider}/callback` */
    callback(provider: string, body: Body<"auth.callback">, options?: RequestOptions): ApiPromise<Result<"auth.callback">>;
    sessions: {
      /** List sessions. The active sessions of the account. `GET /auth/sessions` */
      list(options?: RequestOptions): ApiPromise<Result<"auth.sessions.list">>;
      /** End all other sessions. Ends all sessions of the account except this one. `DELETE /auth/sessions` */
      deleteOthers(options?: RequestOptions): ApiPromise<Result<"auth.sessions.deleteOthers">>;
      /** End a session. Signs that session out. `DELETE /auth/sessions/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"auth.sessions.delete">>;
    };
    /** Change the password. Requires the current password, where there is one. Ends all other sessions and all grants of applications. This session continues with a new secret. A mail lists what has ended. `POST /auth/password` */
    changePassword(body: Body<"auth.changePassword">, options?: RequestOptions): ApiPromise<Result<"auth.changePassword">>;
    passkeys: {
      /** Sign in with a passkey. Takes the browser's response to the options of `auth.passkeys.beginSignIn`. Signs in as `auth.login` does, without a further factor: a passkey that verified its user is two factors. `POST /auth/login/passkey` */
      signIn(body: Body<"auth.passkeys.signIn">, options?: RequestOptions): ApiPromise<Result<"auth.passkeys.signIn">>;
      /** Begin a login with a passkey. Returns the options to request a passkey with, and binds them to the browser by a cookie. Fails with `passkeys_unavailable` where the site's address does not allow passkeys. `POST /auth/login/passkey/begin` */
      beginSignIn(options?: RequestOptions): ApiPromise<Result<"auth.passkeys.beginSignIn">>;
      /** List passkeys. The passkeys of the account. `GET /auth/passkeys` */
      list(options?: RequestOptions): ApiPromise<Result<"auth.passkeys.list">>;
      /** Add a passkey. Takes what the browser created from the options of `auth.passkeys.beginRegistration`, in the same session within five minutes. From then on the account requires a second factor. All other sessions end, and the owner is notified by mail. `POST /auth/passkeys` */
      register(body: Body<"auth.passkeys.register">, options?: RequestOptions): ApiPromise<Result<"auth.passkeys.register">>;
      /** Begin adding a passkey. Returns the options to create a passkey with. Requires the password, or a recent sign-in where the account has none. Browsers support passkeys only at https addresses with a host name, and at localhost: elsewhere this fails with `passkeys_unavailable`. `POST /auth/passkeys/registration` */
      beginRegistration(body?: Body<"auth.passkeys.beginRegistration">, options?: RequestOptions): ApiPromise<Result<"auth.passkeys.beginRegistration">>;
      /** Rename a passkey. Changes the name of a passkey. `PUT /auth/passkeys/{id}` */
      update(id: string, body: Body<"auth.passkeys.update">, options?: RequestOptions): ApiPromise<Result<"auth.passkeys.update">>;
      /** Remove a passkey. Requires the password, or a recent sign-in where the account has none. All other sessions end, and the owner is notified by mail. Removing the last second factor also ends the recovery codes; it fails where the operator requires a second factor. `DELETE /auth/passkeys/{id}` */
      delete(id: string, body?: Body<"auth.passkeys.delete">, options?: RequestOptions): ApiPromise<Result<"auth.passkeys.delete">>;
    };
    totp: {
      /** Begin adding an authenticator app. Returns the secret for the authenticator app. Requires the password, or a recent sign-in where the account has none. `POST /auth/totp` */
      begin(body?: Body<"auth.totp.begin">, options?: RequestOptions): ApiPromise<Result<"auth.totp.begin">>;
      /** Remove the authenticator app. Takes a code of the app, or a recovery code, and the password, or a recent sign-in where the account has none. All other sessions end, and the owner is notified by mail. Removing the last second factor also ends the recovery codes; it fails where the operator requires a second factor. `DELETE /auth/totp` */
      disable(body: Body<"auth.totp.disable">, options?: RequestOptions): ApiPromise<Result<"auth.totp.disable">>;
      /** Confirm an authenticator app. Takes a code of the app. Returns recovery codes, only in this response, where the account has none left. All other sessions end, and the owner is notified by mail. `POST /auth/totp/confirm` */
      confirm(body: Body<"auth.totp.confirm">, options?: RequestOptions): ApiPromise<Result<"auth.totp.confirm">>;
    };
    /** Get an invitation. What an invitation link is for, to be shown before signing up or logging in. `GET /invitations/{token}` */
    invitation(token: string, options?: RequestOptions): ApiPromise<Result<"auth.invitation">>;
  };
  account: {
    /** Change the profile. Updates the given fields. `PUT /account` */
    update(body: Body<"account.update">, options?: RequestOptions): ApiPromise<Result<"account.update">>;
    /** Delete the account. Deletes the account permanently, with everything that `GET /account/deletion` lists. Credits, paid time and the balance for future invoices are forfeited. Invoices are kept for accounting; usage stays in reports, without the user's identity. Requires the password, or a recent sign-in where the account has none. The last admin of the platform, or of an organization with other members, must appoint another admin first. `DELETE /account` */
    delete(body: Body<"account.delete">, options?: RequestOptions): ApiPromise<Result<"account.delete">>;
    /** Preview the deletion of the account. The organizations without other members, which are deleted with the account, and their remaining funds, which are not refunded. Ask the server's operator for a refund before. Changes nothing. `GET /account/deletion` */
    previewDeletion(options?: RequestOptions): ApiPromise<Result<"account.previewDeletion">>;
    /** Export the account. All stored data about the caller, and about the organizations they are an admin of, by kind. It includes every request, so the response may be large; it is streamed. `GET /account/export` */
    export(options?: RequestOptions): ApiPromise<Result<"account.export">>;
    authorizations: {
      /** List authorized applications. Applications that may act for the caller. `GET /account/authorizations` */
      list(options?: RequestOptions): ApiPromise<Result<"account.authorizations.list">>;
      /** Revoke a grant. Revokes all tokens that the application has for the caller. `DELETE /account/authorizations/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"account.authorizations.delete">>;
    };
  };
  organization: {
    /** Get the organization. The organization that the caller acts for. A session can switch to another; a key belongs to one permanently. `GET /organization` */
    get(options?: RequestOptions): ApiPromise<Result<"organization.get">>;
    /** Rename the organization. Admins of the organization only. The name must not contain a web address or claim to be this platform. `PUT /organization` */
    update(body: Body<"organization.update">, options?: RequestOptions): ApiPromise<Result<"organization.update">>;
    /** List your organizations. Every organization that the caller is a member of, in the order they joined. `GET /organizations` */
    list(options?: RequestOptions): ApiPromise<Result<"organization.list">>;
    /** Switch to another organization. This session acts for the given organization, of which the caller must be a member. Other sessions and keys do not change. `POST /organization/switch` */
    switch(body: Body<"organization.switch">, options?: RequestOptions): ApiPromise<Result<"organization.switch">>;
    /** List roles and their permissions. The permissions of each role, from the fewest to the most, as the server applies them. `GET /organization/roles` */
    roles(options?: RequestOptions): ApiPromise<Result<"organization.roles">>;
    /** Read the organization's audit log. Audit entries of the organization, newest first. The address of an impersonating admin is left out. `GET /organization/audit` */
    audit(query?: Query<"organization.audit">, options?: RequestOptions): PagedPromise<Result<"organization.audit">>;
    members: {
      /** List members. The members of the organization, in the order they joined. `GET /organization/members` */
      list(options?: RequestOptions): ApiPromise<Result<"organization.members.list">>;
      /** Change a role. Takes effect at once, also for the member's sessions and keys. The last admin cannot be demoted. `PUT /organization/members/{userId}` */
      update(userId: string, body: Body<"organization.members.update">, options?: RequestOptions): ApiPromise<Result<"organization.members.update">>;
      /** Remove a member. Admins remove others with `manage_members`; every member may leave. Keys that the member created in the organization end, and their sessions switch to another organization. The last admin cannot be removed. `DELETE /organization/members/{userId}` */
      delete(userId: string, options?: RequestOptions): ApiPromise<Result<"organization.members.delete">>;
    };
    invitations: {
      /** List invitations. Open invitations, newest first. An expired one can be sent again. `GET /organization/invitations` */
      list(options?: RequestOptions): ApiPromise<Result<"organization.invitations.list">>;
      /** Invite a member. Sends a link by mail. It works once, for seven days, and only for the account with this e-mail. Fails with 409 `invitations.organization_name` where the organization's name could mislead the recipient. `POST /organization/invitations` */
      create(body: Body<"organization.invitations.create">, options?: RequestOptions): ApiPromise<Result<"organization.invitations.create">>;
      /** Withdraw an invitation. Its link stops working. `DELETE /organization/invitations/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"organization.invitations.delete">>;
      /** Send an invitation again. Sends a new link, valid for seven days; the previous one ends. At most once a minute. `POST /organization/invitations/{id}/resend` */
      resend(id: string, options?: RequestOptions): ApiPromise<Result<"organization.invitations.resend">>;
      /** Accept an invitation. Makes the caller a member and, with a session, switches it to the organization. The account's e-mail must be the invited one; it counts as confirmed from then on. `POST /invitations/{token}/accept` */
      accept(token: string, options?: RequestOptions): ApiPromise<Result<"organization.invitations.accept">>;
    };
  };
  apiKeys: {
    /** List API keys. The keys of the caller's organization, newest first, without secrets. `GET /api-keys` */
    list(query?: Query<"apiKeys.list">, options?: RequestOptions): PagedPromise<Result<"apiKeys.list">>;
    /** Create an API key. Creates a key and returns its secret, only in this response. The plan limits the number of keys of an organization. `POST /api-keys` */
    create(body: Body<"apiKeys.create">, options?: RequestOptions): ApiPromise<Result<"apiKeys.create">>;
    /** Get an API key. One key, without its secret. `GET /api-keys/{id}` */
    get(id: string, options?: RequestOptions): ApiPromise<Result<"apiKeys.get">>;
    /** Change an API key. Updates the given fields. Changes take effect at once. `PUT /api-keys/{id}` */
    update(id: string, body: Body<"apiKeys.update">, options?: RequestOptions): ApiPromise<Result<"apiKeys.update">>;
    /** Delete an API key. Deletes the key permanently. Its usage records are kept. `DELETE /api-keys/{id}` */
    delete(id: string, options?: RequestOptions): ApiPromise<Result<"apiKeys.delete">>;
    /** Rotate an API key. Creates a new secret, which is returned only in this response. The old one stays valid for the grace period, one day by default; an older one ends at once. `POST /api-keys/{id}/rotate` */
    rotate(id: string, body?: Body<"apiKeys.rotate">, options?: RequestOptions): ApiPromise<Result<"apiKeys.rotate">>;
  };
  usage: {
    /** Get credits. The balance of prepaid credits and its transactions, newest first. `GET /usage/credits` */
    credits(query?: Query<"usage.credits">, options?: RequestOptions): ApiPromise<Result<"usage.credits">>;
    /** Get units over time. Units in use in each time slice, as maximum and average, and the number of calls rejected because all were in use. Slices are minutes of the last hour, hours of the last week or days of the last 30 days by default; at most 1,500. `GET /usage/concurrencies` */
    concurrencies(query?: Query<"usage.concurrencies">, options?: RequestOptions): ApiPromise<Result<"usage.concurrencies">>;
    activity: {
      /** Get activity totals. Totals from `start` (inclusive) to `end` (exclusive); of the last 30 days by default. `GET /usage/activity/summary` */
      summary(query?: Query<"usage.activity.summary">, options?: RequestOptions): ApiPromise<Result<"usage.activity.summary">>;
      /** Report activity. Requests, tokens and cost of the organization, grouped by hour or day (in UTC), and by model, key or outcome. The period is extended to whole hours; the last 30 days by default. `GET /usage/activity/report` */
      report(query?: Query<"usage.activity.report">, options?: RequestOptions): ApiPromise<Result<"usage.activity.report">>;
      /** List requests. Requests to models, newest first; those of the last 30 days by default. `GET /usage/activity/requests` */
      requests(query?: Query<"usage.activity.requests">, options?: RequestOptions): PagedPromise<Result<"usage.activity.requests">>;
    };
    requests: {
      /** Get a receipt. Tokens, time, units and cost of one request. Its id is the `request-id` header of the response. `GET /usage/requests/{id}` */
      get(id: string, options?: RequestOptions): ApiPromise<Result<"usage.requests.get">>;
    };
  };
  credits: {
    /** Get the balance. Prepaid credits of the organization, and how much of them is reserved for running requests. `GET /credits/balance` */
    balance(options?: RequestOptions): ApiPromise<Result<"credits.balance">>;
    /** Buy credits. Charges the default payment method. Fails with 409 `payments_off` where payments are switched off. `POST /usage/credits/top-up` */
    topUp(body: Body<"credits.topUp">, options?: RequestOptions): ApiPromise<Result<"credits.topUp">>;
  };
  subscription: {
    /** List plans. The plans on sale, with their prices. `GET /subscription/plans` */
    plans(options?: RequestOptions): ApiPromise<Result<"subscription.plans">>;
    /** Get the subscription. The organization's subscription. `GET /subscription` */
    get(options?: RequestOptions): ApiPromise<Result<"subscription.get">>;
    /** Change the plan. With `preview: true` returns the price of the change and changes nothing; else changes the plan. A change to a plan that costs as much or more takes effect and is charged at once, less the unused part of the current period; a change to a cheaper one takes effect at the end of the period. The free plan cancels the subscription. Fails with 402 `card_declined`, `payment_method_required` or, with a `url` in its details, `authentication_required`; the plan then stays until the payment succeeds. Where payments are switched off, every plan but the free one fails with 409 `payments_off`. `POST /subscription` */
    change(body: Body<"subscription.change">, options?: RequestOptions): ApiPromise<Result<"subscription.change">>;
    /** Cancel the subscription. Ends the subscription at the end of its period. `DELETE /subscription` */
    cancel(options?: RequestOptions): ApiPromise<Result<"subscription.cancel">>;
    /** Open the customer portal. A link to the page where the organization manages its cards and invoices. `POST /subscription/customer-portal` */
    customerPortal(options?: RequestOptions): ApiPromise<Result<"subscription.customerPortal">>;
    /** Start a checkout. Starts the purchase of a plan on the payment service's page: send the buyer to `url`, which is valid for an hour. The built-in test driver returns a page of this server, marked as a test, that accepts test cards. `POST /subscription/checkout` */
    checkout(body: Body<"subscription.checkout">, options?: RequestOptions): ApiPromise<Result<"subscription.checkout">>;
    /** Resume the subscription. Undoes a cancellation, or a change scheduled for the end of the period. `POST /subscription/resume` */
    resume(options?: RequestOptions): ApiPromise<Result<"subscription.resume">>;
    coupons: {
      /** Check a coupon. Whether the caller can use a coupon, and its discount. `GET /subscription/coupons/{code}` */
      get(code: string, query?: Query<"subscription.coupons.get">, options?: RequestOptions): ApiPromise<Result<"subscription.coupons.get">>;
      /** Apply a coupon. Applies to the current subscription from the next invoice on. An organization can use a coupon once, and one at a time. `POST /subscription/coupons/{code}` */
      apply(code: string, options?: RequestOptions): ApiPromise<Result<"subscription.coupons.apply">>;
      /** Remove the coupon. Removes the coupon from the current subscription. It still counts as used. `DELETE /subscription/coupons` */
      remove(options?: RequestOptions): ApiPromise<Result<"subscription.coupons.remove">>;
    };
    retentionCoupon: {
      /** Get the retention offer. The coupon offered to customers who are about to cancel; null where there is none. `GET /subscription/retention-coupon` */
      get(options?: RequestOptions): ApiPromise<Result<"subscription.retentionCoupon.get">>;
      /** Accept the retention offer. Once in twelve months. `POST /subscription/retention-coupon` */
      apply(options?: RequestOptions): ApiPromise<Result<"subscription.retentionCoupon.apply">>;
    };
  };
  paymentMethods: {
    setupIntents: {
      /** Begin adding a card. Creates a setup intent for the payment form. `POST /payment-methods/setup-intent` */
      create(options?: RequestOptions): ApiPromise<Result<"paymentMethods.setupIntents.create">>;
      /** Finish adding a card. Confirms the intent and stores the card. The test driver accepts test cards: `4242424242424242` works, `4000000000000002` is declined, `4000002500003155` requires one authentication (402 `authentication_required`, with a `url` in its details), `4000002760003184` requires it at every payment, and `4000000000000341` is declined when it is charged. Other Visa and Mastercard numbers with a valid check digit work. `POST /payment-methods/setup-intent/{id}` */
      confirm(id: string, body?: Body<"paymentMethods.setupIntents.confirm">, options?: RequestOptions): ApiPromise<Result<"paymentMethods.setupIntents.confirm">>;
    };
    /** List cards. Cards of the organization. `GET /payment-methods` */
    list(options?: RequestOptions): ApiPromise<Result<"paymentMethods.list">>;
    /** Make a card the default. Uses this card for future payments. `PUT /payment-methods/{id}` */
    makeDefault(id: string, options?: RequestOptions): ApiPromise<Result<"paymentMethods.makeDefault">>;
    /** Remove a card. Fails for the only card of a paid plan. `DELETE /payment-methods/{id}` */
    delete(id: string, options?: RequestOptions): ApiPromise<Result<"paymentMethods.delete">>;
  };
  invoices: {
    /** List invoices. The organization's invoices, newest first. `GET /invoices` */
    list(query?: Query<"invoices.list">, options?: RequestOptions): PagedPromise<Result<"invoices.list">>;
    /** Get an invoice. One invoice with its lines. `GET /invoices/{id}` */
    get(id: string, options?: RequestOptions): ApiPromise<Result<"invoices.get">>;
    /** Get an invoice as page. The invoice as a printable page. `GET /invoices/{id}/page` */
    page(id: string, options?: RequestOptions): ApiPromise<Result<"invoices.page">>;
    /** Pay an open invoice. Charges the default card now, without waiting for the next automatic attempt. `POST /invoices/{id}/pay` */
    pay(id: string, options?: RequestOptions): ApiPromise<Result<"invoices.pay">>;
  };
  testPayments: {
    /** Get a page of the test driver. The page where a buyer checks out, confirms a payment or manages cards, marked as a test. It replaces the pages of a payment service; anybody who has the address may open it. `GET /test-payments/{token}` */
    page(token: string, options?: RequestOptions): ApiPromise<Result<"testPayments.page">>;
    /** Submit a page of the test driver. Submits the page's form. Redirects to the site, or returns the page with an error. `POST /test-payments/{token}` */
    submit(token: string, body: Body<"testPayments.submit">, options?: RequestOptions): ApiPromise<Result<"testPayments.submit">>;
  };
  referral: {
    /** Get the referral code. The caller's referral code. `GET /account/referral/code` */
    code(options?: RequestOptions): ApiPromise<Result<"referral.code">>;
    /** Set the referrer. Sets who referred the caller: once, within 30 days of signing up and before the first payment. Fails with 404 `unknown_code`, 400 `self_referral` (also for a second account with the same card), 409 `referrer_already_set`, `mutual_referral` (for a user whom the caller referred), `referral_too_late` or `referral_after_payment`. `POST /account/referrer` */
    setReferrer(body: Body<"referral.setReferrer">, options?: RequestOptions): ApiPromise<Result<"referral.setReferrer">>;
    /** Get referral totals. The number of referred users and the caller's rewards: credits for both sides after a friend's first payment, or, for affiliates, a percentage of what friends pay in their first twelve months. `GET /account/referral` */
    summary(options?: RequestOptions): ApiPromise<Result<"referral.summary">>;
    /** List rewards. The caller's referral rewards, each with the date of its payment, newest first. The payer is not named. Credits are released at once; commission is held until its payment can no longer be refunded. A refund reverses the reward. `GET /account/referral/rewards` */
    rewards(query?: Query<"referral.rewards">, options?: RequestOptions): PagedPromise<Result<"referral.rewards">>;
    /** List payouts. Commission that was paid out to the organization, newest first. `GET /account/referral/payout` */
    payouts(query?: Query<"referral.payouts">, options?: RequestOptions): PagedPromise<Result<"referral.payouts">>;
    /** Pay out commission. Pays out all available commission, at least 50 USD. `POST /account/referral/payout` */
    payout(options?: RequestOptions): ApiPromise<Result<"referral.payout">>;
  };
  marketplace: {
    /** List marketplace accounts. Accounts of cloud marketplaces that pay for the organization. `GET /cloud-marketplace/accounts` */
    accounts(options?: RequestOptions): ApiPromise<Result<"marketplace.accounts">>;
    /** Connect a marketplace account. Takes the token that the marketplace sent, which works once. When the product matches a plan, the organization gets the plan at once and the marketplace collects the payments; a plan that is not on sale is rejected. The test driver accepts tokens of the form `test_<customer>_<plan>`. Fails with 409 `marketplaces_off` where marketplaces are switched off. `POST /cloud-marketplace/subscribe` */
    subscribe(body: Body<"marketplace.subscribe">, options?: RequestOptions): ApiPromise<Result<"marketplace.subscribe">>;
  };
  privateModels: {
    /** List private models. The private models of the organization. `GET /feather/private-models` */
    list(options?: RequestOptions): ApiPromise<Result<"privateModels.list">>;
    /** Get a private model. A private model with its state. `GET /feather/private-models/{id}` */
    get(id: string, options?: RequestOptions): ApiPromise<Result<"privateModels.get">>;
    /** Load a private model. Downloads and serves a repository of the hub, for the organization only. It must pass the six rules, and contain a GGUF file beside its safetensors, because this machine runs GGUF. `POST /feather/private-models/{id}` */
    create(id: string, body?: Body<"privateModels.create">, options?: RequestOptions): ApiPromise<Result<"privateModels.create">>;
    /** Delete a private model. Unloads it and deletes its file from this machine. Its deployments must be deleted first. `DELETE /feather/private-models/{id}` */
    delete(id: string, options?: RequestOptions): ApiPromise<Result<"privateModels.delete">>;
    /** Check compatibility. Checks the repository on the hub against the six rules. `GET /feather/private-models/{id}/compatibility` */
    compatibility(id: string, options?: RequestOptions): ApiPromise<Result<"privateModels.compatibility">>;
    /** Unload a private model. Frees its memory, or stops its download. The next call loads it again if its file is on this machine. Repeating it does nothing. `POST /feather/private-models/{id}/unload` */
    unload(id: string, options?: RequestOptions): ApiPromise<Result<"privateModels.unload">>;
  };
  deployments: {
    /** List deployments. The deployments of the organization. `GET /feather/private-cloud/deployments` */
    list(query?: Query<"deployments.list">, options?: RequestOptions): PagedPromise<Result<"deployments.list">>;
    /** Create a deployment. Starts a model on a provider; poll its state with get. Names are unique within the organization. Requires a plan with private cloud. `POST /feather/private-cloud/deployments` */
    create(body: Body<"deployments.create">, options?: RequestOptions): ApiPromise<Result<"deployments.create">>;
    /** Get a deployment. A deployment with its state and address. `GET /feather/private-cloud/deployments/{id}` */
    get(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.get">>;
    /** Change a deployment. Updates the given fields; replicas are replaced one after the other. `PUT /feather/private-cloud/deployments/{id}` */
    update(id: string, body: Body<"deployments.update">, options?: RequestOptions): ApiPromise<Result<"deployments.update">>;
    /** Delete a deployment. Deletes the deployment permanently. Its address and token end at once; it is listed as `deleting` until its replicas have ended. `DELETE /feather/private-cloud/deployments/{id}` */
    delete(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.delete">>;
    /** Create a console link. A link for a user without an account. It works once, within fifteen minutes; see `deployments.redeemLogin`. `POST /feather/private-cloud/deployments/{id}/login` */
    login(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.login">>;
    /** List providers. Providers that deployments can run on. `GET /feather/private-cloud/deployment-providers` */
    providers(options?: RequestOptions): ApiPromise<Result<"deployments.providers">>;
    /** Read logs. The last lines of its replicas; with `accept: text/event-stream` also the following ones. Lines contain no prompts. The last thousand are kept while the server runs. `GET /feather/private-cloud/deployments/{id}/logs` */
    logs(id: string, query: Query<"deployments.logs"> | undefined, options: Streamed): ApiPromise<StreamOf<"deployments.logs">>;
    /** Read logs. The last lines of its replicas; with `accept: text/event-stream` also the following ones. Lines contain no prompts. The last thousand are kept while the server runs. `GET /feather/private-cloud/deployments/{id}/logs` */
    logs(id: string, query?: Query<"deployments.logs">, options?: RequestOptions): ApiPromise<Result<"deployments.logs">>;
    /** List events. State changes, newest first. `GET /feather/private-cloud/deployments/{id}/events` */
    events(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.events">>;
    /** List replicas. The replicas that exist now. After a change, replicas of the previous version run until the new ones are ready. `GET /feather/private-cloud/deployments/{id}/replicas` */
    replicas(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.replicas">>;
    /** Get metrics. Requests and speed over time. `GET /feather/private-cloud/deployments/{id}/metrics` */
    metrics(id: string, query?: Query<"deployments.metrics">, options?: RequestOptions): ApiPromise<Result<"deployments.metrics">>;
    /** Pause a deployment. Stops all replicas and keeps the settings. `POST /feather/private-cloud/deployments/{id}/pause` */
    pause(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.pause">>;
    /** Resume a deployment. Starts a paused deployment. `POST /feather/private-cloud/deployments/{id}/resume` */
    resume(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.resume">>;
    /** Replace the token. Creates a new token for the deployment. The previous one ends at once. `POST /feather/private-cloud/deployments/{id}/token` */
    rotateToken(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.rotateToken">>;
    /** Redeem a console link. Exchanges the token of a link from `deployments.login` for one that gives access to the deployment for an hour. A link works once, for anybody who has it. `POST /feather/private-cloud/deployment-logins` */
    redeemLogin(body: Body<"deployments.redeemLogin">, options?: RequestOptions): ApiPromise<Result<"deployments.redeemLogin">>;
    /** List the model of a deployment. The deployment's only model, in OpenAI's format. `GET /deployments/{id}/v1/models` */
    models(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.models">>;
    chat: {
      completions: {
        /** Create a chat completion on a deployment. Like the operation of the same name below /v1, but served by the deployment's own replicas, whatever `model` says, and without using units of the plan. Send the token of the deployment, or a key of its organization. A deployment scaled to zero is started: see `x-wait-for-model`. `POST /deployments/{id}/v1/chat/completions` */
        create(id: string, body: Streaming<Body<"deployments.chat.completions.create">>, options?: RequestOptions): ApiPromise<StreamOf<"deployments.chat.completions.create">>;
        /** Create a chat completion on a deployment. Like the operation of the same name below /v1, but served by the deployment's own replicas, whatever `model` says, and without using units of the plan. Send the token of the deployment, or a key of its organization. A deployment scaled to zero is started: see `x-wait-for-model`. `POST /deployments/{id}/v1/chat/completions` */
        create(id: string, body: Whole<Body<"deployments.chat.completions.create">>, options?: RequestOptions): ApiPromise<Result<"deployments.chat.completions.create">>;
      };
    };
    completions: {
      /** Create a completion on a deployment. Like the operation of the same name below /v1, but served by the deployment's own replicas, whatever `model` says, and without using units of the plan. Send the token of the deployment, or a key of its organization. A deployment scaled to zero is started: see `x-wait-for-model`. `POST /deployments/{id}/v1/completions` */
      create(id: string, body: Streaming<Body<"deployments.completions.create">>, options?: RequestOptions): ApiPromise<StreamOf<"deployments.completions.create">>;
      /** Create a completion on a deployment. Like the operation of the same name below /v1, but served by the deployment's own replicas, whatever `model` says, and without using units of the plan. Send the token of the deployment, or a key of its organization. A deployment scaled to zero is started: see `x-wait-for-model`. `POST /deployments/{id}/v1/completions` */
      create(id: string, body: Whole<Body<"deployments.completions.create">>, options?: RequestOptions): ApiPromise<Result<"deployments.completions.create">>;
    };
    embeddings: {
      /** Create embeddings on a deployment. Like the operation of the same name below /v1, but served by the deployment's own replicas, whatever `model` says, and without using units of the plan. Send the token of the deployment, or a key of its organization. A deployment scaled to zero is started: see `x-wait-for-model`. `POST /deployments/{id}/v1/embeddings` */
      create(id: string, body: Body<"deployments.embeddings.create">, options?: RequestOptions): ApiPromise<Result<"deployments.embeddings.create">>;
    };
  };
  applications: {
    /** List applications. Applications registered by the organization. `GET /application` */
    list(options?: RequestOptions): ApiPromise<Result<"applications.list">>;
    /** Register an application. Returns the secret, only in this response; public applications have none. Where applications are reviewed it starts as `pending`, otherwise as `active`. `POST /application` */
    create(body: Body<"applications.create">, options?: RequestOptions): ApiPromise<Result<"applications.create">>;
    /** Get an application. One application of the organization. `GET /application/{id}` */
    get(id: string, options?: RequestOptions): ApiPromise<Result<"applications.get">>;
    /** Change an application. Updates the given fields. Removed scopes are removed from its tokens at once. Where applications are reviewed, a change of name, redirect URIs or scopes sets it back to `pending`. `PUT /application/{id}` */
    update(id: string, body: Body<"applications.update">, options?: RequestOptions): ApiPromise<Result<"applications.update">>;
    /** Delete an application. Deletes the application and revokes all its tokens. `DELETE /application/{id}` */
    delete(id: string, options?: RequestOptions): ApiPromise<Result<"applications.delete">>;
    /** Create a new secret. The old secret stays valid for 24 hours; an older one ends at once. Public applications have no secret. `POST /application/{id}/regenerate-secret` */
    regenerateSecret(id: string, options?: RequestOptions): ApiPromise<Result<"applications.regenerateSecret">>;
    /** Change the status. Owners switch between `active` and `inactive`; admins may set any status of any application. Tokens of an application that is not active are rejected, and work again once it is active. `PUT /application/{id}/status` */
    setStatus(id: string, body: Body<"applications.setStatus">, options?: RequestOptions): ApiPromise<Result<"applications.setStatus">>;
  };
  oauth: {
    /** Get an application for the consent page. The public fields of an active application, and the scopes it requests. `GET /oauth/applications/{id}` */
    application(id: string, query?: Query<"oauth.application">, options?: RequestOptions): ApiPromise<Result<"oauth.application">>;
    /** Decide on an authorization request. Returns the address to send the browser to: with a code that works once within 60 seconds, or with an error. Where the application or its redirect URI cannot be trusted the response is 400, and the browser must not be redirected. Public applications need PKCE with S256. Unknown parameters are ignored, as RFC 6749 requires. `POST /oauth/authorize` */
    authorize(body: Body<"oauth.authorize">, options?: RequestOptions): ApiPromise<Result<"oauth.authorize">>;
    /** Get tokens. RFC 6749. Accepts a code with PKCE, a refresh token (which is replaced), or a device code (RFC 8628). Confidential applications send their secret in the Authorization header or in the body; public ones send only `client_id`. Presenting a code or refresh token twice revokes all tokens that came from it. `POST /oauth/token` */
    token(body: Body<"oauth.token">, options?: RequestOptions): ApiPromise<Result<"oauth.token">>;
    /** Get the user of a token. OpenID-style claims; the e-mail only with `user.read`. Accepts any token of the user. `GET /oauth/userinfo` */
    userinfo(options?: RequestOptions): ApiPromise<Result<"oauth.userinfo">>;
    /** Revoke a token. RFC 7009. The response is the same whether the token was known or not. A refresh token is revoked together with all tokens of the same sign-in. `POST /oauth/revoke` */
    revoke(body: Body<"oauth.revoke">, options?: RequestOptions): ApiPromise<Result<"oauth.revoke">>;
    /** Begin a device authorization. RFC 8628, for programs without a browser. They show `user_code`, which the user enters at `verification_uri`, and poll `/oauth/token` every `interval` seconds. `POST /oauth/device` */
    device(body: Body<"oauth.device">, options?: RequestOptions): ApiPromise<Result<"oauth.device">>;
    /** Get a device authorization request. Looks up a request by the user code. Only the first user who does so may decide on it. `GET /oauth/device/verify` */
    deviceRequest(query: Query<"oauth.deviceRequest">, options?: RequestOptions): ApiPromise<Result<"oauth.deviceRequest">>;
    /** Decide on a device authorization request. Takes the user code. A request is decided once. `POST /oauth/device/verify` */
    verifyDevice(body: Body<"oauth.verifyDevice">, options?: RequestOptions): ApiPromise<Result<"oauth.verifyDevice">>;
    /** Get the OAuth metadata. RFC 8414. Also available at the root of the site, without `/api`. `GET /.well-known/oauth-authorization-server` */
    metadata(options?: RequestOptions): ApiPromise<Result<"oauth.metadata">>;
  };
  admin: {
    users: {
      /** List users. All users, newest first unless sorted otherwise. `GET /admin/users` */
      list(query?: Query<"admin.users.list">, options?: RequestOptions): PagedPromise<Result<"admin.users.list">>;
      /** Get a user. One user with the fields of the list. `GET /admin/users/{id}` */
      get(id: string, options?: RequestOptions): ApiPromise<Result<"admin.users.get">>;
      /** Change a user. Suspends a user (ends their sessions and disables their keys at once) or reinstates them, changes admin rights, confirms the e-mail address, or grants a plan without payment. Granting ends a paid plan; the unused part of its payment is credited to future invoices, and the organization is notified by mail. The last admin cannot lose admin rights, and nobody can suspend themselves. `PUT /admin/users/{id}` */
      update(id: string, body: Body<"admin.users.update">, options?: RequestOptions): ApiPromise<Result<"admin.users.update">>;
      /** Remove a user's second factor. For users who lost their second factor and recovery codes. Removes the authenticator app, all passkeys and the codes, ends the user's sessions, and notifies them by mail. Requires the admin's password, or a recent sign-in where they have none. Admins cannot do it to themselves. `DELETE /admin/users/{id}/second-factor` */
      resetSecondFactor(id: string, body: Body<"admin.users.resetSecondFactor">, options?: RequestOptions): ApiPromise<Result<"admin.users.resetSecondFactor">>;
      /** Approve an account. Approves an account that waits for it. The user is notified by mail and can log in. `POST /admin/users/{id}/approve` */
      approve(id: string, options?: RequestOptions): ApiPromise<Result<"admin.users.approve">>;
      /** Reject an account. Deletes an account that waits for approval. The user is notified by mail, with the reason where one is given. `POST /admin/users/{id}/refuse` */
      refuse(id: string, body: Body<"admin.users.refuse">, options?: RequestOptions): ApiPromise<Result<"admin.users.refuse">>;
      /** Impersonate a user. Gives the admin a session as the user for at most 30 minutes, as cookie, or as token for programs that request one. It cannot be renewed. Payments, password, e-mail, keys and deletion are not available in it, and every request is recorded in the audit log with both names. The admin must have logged in within the last 15 minutes, or send the password. Admins cannot be impersonated. `POST /admin/users/{id}/impersonate` */
      impersonate(id: string, body: Body<"admin.users.impersonate">, options?: RequestOptions): ApiPromise<Result<"admin.users.impersonate">>;
      /** Preview granting a plan. The paid plan of the user's organization, which ends when it is granted another, and the amount credited for it. Changes nothing. `GET /admin/users/{id}/plan-grant` */
      previewGrant(id: string, options?: RequestOptions): ApiPromise<Result<"admin.users.previewGrant">>;
      /** Grant credits. Adds credits to the user's organization, or removes some when the amount is negative: at most what is available. The reason appears in the audit log and in the organization's transactions. `POST /admin/users/{id}/credits` */
      grantCredits(id: string, body: Body<"admin.users.grantCredits">, options?: RequestOptions): ApiPromise<Result<"admin.users.grantCredits">>;
      /** Set how referrals are rewarded. Commission makes the user an affiliate; credits are the default. Applies to payments from now on. `PUT /admin/users/{id}/referral-reward` */
      setReferralReward(id: string, body: Body<"admin.users.setReferralReward">, options?: RequestOptions): ApiPromise<Result<"admin.users.setReferralReward">>;
    };
    invitations: {
      /** List invitations to the platform. Unused invitations, newest first, including expired ones. `GET /admin/invitations` */
      list(query?: Query<"admin.invitations.list">, options?: RequestOptions): PagedPromise<Result<"admin.invitations.list">>;
      /** Invite a user to the platform. Sends a link that creates an account for this e-mail, once, within seven days. The link is also returned, only in this response. Another invitation for the same address ends the earlier link. `POST /admin/invitations` */
      create(body: Body<"admin.invitations.create">, options?: RequestOptions): ApiPromise<Result<"admin.invitations.create">>;
      /** Withdraw an invitation to the platform. Its link stops working. `DELETE /admin/invitations/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"admin.invitations.delete">>;
    };
    /** Stop impersonating a user. Ends the session as the user. In a browser the cookie becomes that of the admin's own session again. `DELETE /admin/impersonation` */
    stopImpersonation(options?: RequestOptions): ApiPromise<Result<"admin.stopImpersonation">>;
    models: {
      /** List models. All models, including hidden ones. `GET /admin/models` */
      list(query?: Query<"admin.models.list">, options?: RequestOptions): PagedPromise<Result<"admin.models.list">>;
      /** Create a model. Adds a model to the catalogue. With `model_class` it is added as given; without, its data is read from the model hub. 409 `model_class_ambiguous` lists the candidates where several classes fit. `POST /admin/models` */
      create(body: Body<"admin.models.create">, options?: RequestOptions): ApiPromise<Result<"admin.models.create">>;
      /** Import models. Imports models from the model hub into the catalogue. Models that exist already are updated. Returns a result for each id. `POST /admin/models/import` */
      import(body: Body<"admin.models.import">, options?: RequestOptions): ApiPromise<Result<"admin.models.import">>;
      /** List requested models. Models that organizations have requested, the most requested first, with the requesting organizations. Admins decide on them; nothing is deployed automatically. `GET /admin/model-requests` */
      requests(query?: Query<"admin.models.requests">, options?: RequestOptions): PagedPromise<Result<"admin.models.requests">>;
      /** Get a model. A model with the fields for admins. `GET /admin/models/{id}` */
      get(id: string, options?: RequestOptions): ApiPromise<Result<"admin.models.get">>;
      /** Change a model. Updates the given fields. `PUT /admin/models/{id}` */
      update(id: string, body: Body<"admin.models.update">, options?: RequestOptions): ApiPromise<Result<"admin.models.update">>;
      /** Delete a model. Removes a model from the catalogue, with its reviews. Its usage stays in reports. 409 while a backend runs it. `DELETE /admin/models/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"admin.models.delete">>;
      /** Redeploy a model. Unloads a model that runs on this machine and loads it again. 409 where this machine cannot run it. `POST /admin/models/{id}/redeploy` */
      redeploy(id: string, options?: RequestOptions): ApiPromise<Result<"admin.models.redeploy">>;
    };
    deployments: {
      /** List deployments. Deployments of all organizations. `GET /admin/deployments` */
      list(query?: Query<"admin.deployments.list">, options?: RequestOptions): PagedPromise<Result<"admin.deployments.list">>;
      /** Get a deployment. A deployment of any organization. `GET /admin/deployments/{id}` */
      get(id: string, options?: RequestOptions): ApiPromise<Result<"admin.deployments.get">>;
      /** Redeploy deployments. Replaces all replicas, one after the other. Returns a result for each id. `POST /admin/deployments/redeploy` */
      redeploy(body: Body<"admin.deployments.redeploy">, options?: RequestOptions): ApiPromise<Result<"admin.deployments.redeploy">>;
    };
    prices: {
      /** Add a price. Sets the metered price of a model, a class or a size, from now or from a later time on. Past prices never change: requests are charged at the price of their time. `POST /admin/base-models/{model}/prices` */
      create(model: string, body: Body<"admin.prices.create">, options?: RequestOptions): ApiPromise<Result<"admin.prices.create">>;
      /** List prices. Past, current and future prices, the latest start first. `GET /admin/prices` */
      list(query?: Query<"admin.prices.list">, options?: RequestOptions): PagedPromise<Result<"admin.prices.list">>;
    };
    /** Report usage. Requests, tokens and cost, grouped. The period is extended to whole hours. `POST /admin/usage` */
    usage(body: Body<"admin.usage">, options?: RequestOptions): ApiPromise<Result<"admin.usage">>;
    backends: {
      /** List backends. All backends with their health. `GET /admin/backends` */
      list(options?: RequestOptions): ApiPromise<Result<"admin.backends.list">>;
      /** Add a backend. Adds an OpenAI-compatible address. An address that is not public is rejected unless the setting FEATHER_OUTGOING_ALLOW contains it; backends in FEATHER_BACKENDS and those found on this machine need no permission. `POST /admin/backends` */
      create(body: Body<"admin.backends.create">, options?: RequestOptions): ApiPromise<Result<"admin.backends.create">>;
      /** Get a backend. A backend with its health. Backends from the settings or found on this machine have their name as id. `GET /admin/backends/{id}` */
      get(id: string, options?: RequestOptions): ApiPromise<Result<"admin.backends.get">>;
      /** Change a backend. Only backends that were added by an admin can be changed. `PUT /admin/backends/{id}` */
      update(id: string, body: Body<"admin.backends.update">, options?: RequestOptions): ApiPromise<Result<"admin.backends.update">>;
      /** Remove a backend. Only backends that were added by an admin can be removed. `DELETE /admin/backends/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"admin.backends.delete">>;
      /** Test a backend. Requests the backend's list of models. `POST /admin/backends/{id}/test` */
      test(id: string, options?: RequestOptions): ApiPromise<Result<"admin.backends.test">>;
    };
    /** List the outbox. All messages of the last 30 days, newest first. Without a mail server they stay here. Links and secrets in them are hidden: admin.revealMessage shows them. `GET /admin/outbox` */
    outbox(query?: Query<"admin.outbox">, options?: RequestOptions): PagedPromise<Result<"admin.outbox">>;
    /** Read a message with its links. The text of a message in the outbox with working links, to be delivered by hand where no mail server is configured. Not available where one is. Requires the admin's password, or a recent sign-in where they have none, and is recorded in the audit log. `POST /admin/outbox/{id}/reveal` */
    revealMessage(id: string, body: Body<"admin.revealMessage">, options?: RequestOptions): ApiPromise<Result<"admin.revealMessage">>;
    /** Read the audit log. Newest first. Each entry contains a hash of itself and the previous one, so that changes can be detected; `verify-audit` on the server checks the chain. `GET /admin/audit` */
    audit(query?: Query<"admin.audit">, options?: RequestOptions): PagedPromise<Result<"admin.audit">>;
    /** Get the settings. Every setting with value and description, and what other machines can access. Secrets are not included. `GET /admin/settings` */
    settings(options?: RequestOptions): ApiPromise<Result<"admin.settings">>;
    /** List applications. Applications of all organizations, newest first. `PUT /application/{id}/status` approves or rejects one. `GET /admin/applications` */
    applications(query?: Query<"admin.applications">, options?: RequestOptions): PagedPromise<Result<"admin.applications">>;
    reviews: {
      /** List reported reviews. Reviews for moderation: by default those with unresolved reports. `GET /admin/reviews` */
      list(query?: Query<"admin.reviews.list">, options?: RequestOptions): PagedPromise<Result<"admin.reviews.list">>;
      /** Hide or show a review. Hidden reviews are visible only to their author and are not counted. This resolves all reports of the review so far. `PUT /admin/reviews/{id}` */
      update(id: string, body: Body<"admin.reviews.update">, options?: RequestOptions): ApiPromise<Result<"admin.reviews.update">>;
    };
    reviewTags: {
      /** Set review tags. Replaces the list. Reviews keep tags that were removed from it. `PUT /admin/review-tags` */
      update(body: Body<"admin.reviewTags.update">, options?: RequestOptions): ApiPromise<Result<"admin.reviewTags.update">>;
    };
    routeRules: {
      /** List redirect rules. All rules in the order in which they are evaluated. `GET /admin/route-rules` */
      list(options?: RequestOptions): ApiPromise<Result<"admin.routeRules.list">>;
      /** Add a redirect rule. A rule that redirects a path to itself is rejected. `POST /admin/route-rules` */
      create(body: Body<"admin.routeRules.create">, options?: RequestOptions): ApiPromise<Result<"admin.routeRules.create">>;
      /** Change a redirect rule. Replaces a rule. A different position moves it. `PUT /admin/route-rules/{id}` */
      update(id: string, body: Body<"admin.routeRules.update">, options?: RequestOptions): ApiPromise<Result<"admin.routeRules.update">>;
      /** Remove a redirect rule. Takes effect at once. `DELETE /admin/route-rules/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"admin.routeRules.delete">>;
    };
    incidents: {
      /** Publish an incident. Shows an incident on the status page. `POST /admin/incidents` */
      create(body: Body<"admin.incidents.create">, options?: RequestOptions): ApiPromise<Result<"admin.incidents.create">>;
      /** Update an incident. Changes status and text of an incident. `resolved` closes it. `PUT /admin/incidents/{id}` */
      update(id: string, body: Body<"admin.incidents.update">, options?: RequestOptions): ApiPromise<Result<"admin.incidents.update">>;
      /** Delete an incident. For incidents that were published by mistake. Others are resolved instead. `DELETE /admin/incidents/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"admin.incidents.delete">>;
    };
    coupons: {
      /** List coupons. All coupons, including ended ones. `GET /admin/coupons` */
      list(options?: RequestOptions): ApiPromise<Result<"admin.coupons.list">>;
      /** Create a coupon. Has either a percentage or an amount off. Its code must be unique, ignoring case. `POST /admin/coupons` */
      create(body: Body<"admin.coupons.create">, options?: RequestOptions): ApiPromise<Result<"admin.coupons.create">>;
      /** Change a coupon. Updates its expiry, its number of uses, its plans, and whether it is the retention offer. `PUT /admin/coupons/{code}` */
      update(code: string, body: Body<"admin.coupons.update">, options?: RequestOptions): ApiPromise<Result<"admin.coupons.update">>;
      /** End a coupon. Subscriptions that have it keep it. `DELETE /admin/coupons/{code}` */
      delete(code: string, options?: RequestOptions): ApiPromise<Result<"admin.coupons.delete">>;
    };
    invoices: {
      /** List all invoices. Invoices of all organizations, newest first, including those of deleted ones. `GET /admin/invoices` */
      list(query?: Query<"admin.invoices.list">, options?: RequestOptions): PagedPromise<Result<"admin.invoices.list">>;
      /** Preview a refund. How much of an invoice can be refunded, and which plan would end with it. Credits that were bought with the invoice are removed, so the refund is limited to the credits that are left. Changes nothing. `GET /admin/invoices/{id}/refund` */
      previewRefund(id: string, options?: RequestOptions): ApiPromise<Result<"admin.invoices.previewRefund">>;
      /** Refund an invoice. Refunds all or a part of an invoice. Credits that were bought with it are removed; the refund is limited to the credits that are left. Commission for the invoice is reduced in proportion. A full refund of the invoice for a plan's current period ends the plan, unless `end_plan` is false. `POST /admin/invoices/{id}/refund` */
      refund(id: string, body?: Body<"admin.invoices.refund">, options?: RequestOptions): ApiPromise<Result<"admin.invoices.refund">>;
    };
    plans: {
      /** List all plans. All plans, including those not on sale. `GET /admin/plans` */
      list(options?: RequestOptions): ApiPromise<Result<"admin.plans.list">>;
      /** Create a plan. On sale at once unless `is_public` is false. Limits that are not given are unlimited, except private models: 0 by default. `POST /admin/plans` */
      create(body: Body<"admin.plans.create">, options?: RequestOptions): ApiPromise<Result<"admin.plans.create">>;
      /** Change a plan. Limits take effect at once. A new price or interval applies to new customers; existing ones keep theirs until the price is announced. A plan with paying customers must have a price, and one that is in use keeps its billing mode. `PUT /admin/plans/{id}` */
      update(id: string, body: Body<"admin.plans.update">, options?: RequestOptions): ApiPromise<Result<"admin.plans.update">>;
      /** Announce a new price. Customers who bought the plan at another price or interval keep it until this is called. Each of them gets a message now, and pays the current price from the first period that begins at least 30 days later. Calling it again notifies nobody twice. `POST /admin/plans/{id}/announce-price` */
      announcePrice(id: string, options?: RequestOptions): ApiPromise<Result<"admin.plans.announcePrice">>;
    };
    subscriptions: {
      /** List held subscriptions. Subscriptions that are more than one period behind, after a long downtime or with a wrong clock. They are not charged until an admin resumes them. The longest overdue first; at most 500. `GET /admin/subscriptions/held` */
      held(options?: RequestOptions): ApiPromise<Result<"admin.subscriptions.held">>;
      /** Resume a held subscription. Its next period begins now and is charged within minutes. Missed periods are never charged. Yearly plans are announced first and charged seven days later. `POST /admin/subscriptions/{id}/resume-renewal` */
      resumeRenewal(id: string, options?: RequestOptions): ApiPromise<Result<"admin.subscriptions.resumeRenewal">>;
    };
    store: {
      pulls: {
        /** List downloads. Downloads of model files to this machine. `GET /admin/store/pulls` */
        list(options?: RequestOptions): ApiPromise<Result<"admin.store.pulls.list">>;
        /** Download a model. Downloads a GGUF file from the hub, verifies its checksum, and makes the model available. Resumes an earlier download. `POST /admin/store/pulls` */
        create(body: Body<"admin.store.pulls.create">, options?: RequestOptions): ApiPromise<Result<"admin.store.pulls.create">>;
        /** Stop a download. Downloaded data is kept, to resume later. `DELETE /admin/store/pulls/{id}` */
        cancel(id: string, options?: RequestOptions): ApiPromise<Result<"admin.store.pulls.cancel">>;
      };
    };
  };
  health: {
    /** Check liveness. Succeeds while the process runs. `GET /health/live` */
    live(options?: RequestOptions): ApiPromise<Result<"health.live">>;
    /** Check readiness. Succeeds when the server can work: it has started and loaded the built-in models, the database responds, and it is not shutting down. `GET /health/ready` */
    ready(options?: RequestOptions): ApiPromise<Result<"health.ready">>;
  };
  system: {
    /** Get this document. The OpenAPI document of the server. `GET /openapi.json` */
    openapi(options?: RequestOptions): ApiPromise<Result<"system.openapi">>;
    /** Get settings of the site. The configuration that the site needs before it renders. `GET /config` */
    config(options?: RequestOptions): ApiPromise<Result<"system.config">>;
    /** Look up redirect rules. The rules that match a path of the site and the caller, in the order in which they apply. `GET /route-rules` */
    routeRules(query: Query<"system.routeRules">, options?: RequestOptions): ApiPromise<Result<"system.routeRules">>;
  };
}
