// Written by .ci/generateApi.ts from server/openapi.json. Do not edit.

export interface paths {
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read service health, at most a second old */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HealthResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read state, uptime and incidents of the last 90 days */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatusResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report the page load time of your browser */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok" | "degraded" | "error";
                        /** @description Page load time, milliseconds. */
                        responseTime: number;
                        /** @default  */
                        message?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description False: analytics are off in your privacy settings, or this hour is already counted. */
                            recorded: boolean;
                        };
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/app": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what this installation offers */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description demo: simulated candles and prices.
                             * @enum {string}
                             */
                            mode: "demo" | "live";
                            /** @enum {string} */
                            market: "simulated" | "replay" | "live";
                            /** @description Whether POST /api/auth/demo is enabled. */
                            demoAccount: boolean;
                            /** @description Whether this installation sends email, needed for password reset. */
                            mail: boolean;
                            /** @description Whether GET /api/outbox shows the emails of this demo. */
                            outbox: boolean;
                            /** @description Whether new accounts need an emailed link. */
                            signUpConfirmation: boolean;
                            version: string;
                            /** @description Contact of the operator; null: not set. */
                            contact: {
                                email: string | null;
                                phone: string | null;
                            };
                        };
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/measured": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read measured symbols, response times and uptime */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MeasuredResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account and sign in
         * @description Where addresses are confirmed first, there is no session yet and the response does not reveal existing accounts. Elsewhere an existing account returns `email_taken`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SignUpRequestInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignUpResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with email and password */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SignInRequestInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignInResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Complete a two-factor sign-in */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FinishSignInRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                410: components["responses"]["Problem410"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read who is signed in */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CurrentSessionResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End this session */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedOutResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the password; ends all other sessions */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UpdateUserRequestInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        trace?: never;
    };
    "/api/auth/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open a demo account with its own credits */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reset-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Email a link to set a new password */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResetRequestInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MailRequestedResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password with an emailed link; ends all sessions and, by default, all API keys */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResetPasswordRequestInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DoneResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                410: components["responses"]["Problem410"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm the address of a sign-up and sign in */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConfirmSignUpRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                410: components["responses"]["Problem410"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Email a link to a new address; the address changes once confirmed */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailChangeRequestInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MailRequestedResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a new address with an emailed link; ends all other sessions */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConfirmEmailRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EmailResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                410: components["responses"]["Problem410"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/step-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm your identity for sensitive actions in the next 10 minutes */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StepUpRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DoneResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/security": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read how this account is protected */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SecurityResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start two-factor setup: get a secret for an authenticator */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TwoFactorSetupResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
            };
        };
        /** Turn two-factor sign-in off */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DoneResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn two-factor sign-in on with a first code */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CodeRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RecoveryCodesResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create new recovery codes; the old ones stop working */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RecoveryCodesResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sessions of this account */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
            };
        };
        put?: never;
        post?: never;
        /** End every other session */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DoneResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one session */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DoneResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/username": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The own username */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UsernameResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        /** Choose a username */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UsernameRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UsernameResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/outbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the emails this demo sent (local demos only) */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            mails: {
                                id: number;
                                to: string;
                                subject: string;
                                text: string;
                                receivedAtMs: number;
                            }[];
                        };
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your settings */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PreferencesResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        /** Update your settings */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PreferencesRequestInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PreferencesResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/futures-symbols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tradable symbols
         * @description Data of another exchange when this one does not serve our region: see `exchange`.
         */
        get: {
            parameters: {
                query?: {
                    exchange?: components["schemas"]["ExchangeName"];
                    /** @description `turnover`: the largest of the last 24 hours first. */
                    sort?: "name" | "turnover";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SymbolsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the last price of one symbol */
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    exchange?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PriceResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/price/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the last prices of up to twelve symbols
         * @description Data of another exchange when this one does not serve our region: see `exchange`.
         */
        get: {
            parameters: {
                query: {
                    /** @description 1 to 12 symbols, comma-separated. */
                    symbols: string;
                    exchange?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PriceBatchResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/klines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Closed candles */
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    interval: components["schemas"]["IntervalName"];
                    /** @description Candles; 200 when absent. */
                    limit?: number;
                    /** @description Epoch ms: only candles closed by then. Now when absent. */
                    endTime?: number;
                    /** @description `mark`: mark price candles, which decide liquidations; no volume. */
                    price?: "last" | "mark";
                    exchange?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KlinesResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/minute-candles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the minutes of single candles
         * @description Shows whether a candle reached its high or its low first.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MinutesBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MinutesResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/funding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the next funding rate and the last settled ones */
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    /** @description Epoch ms: settled fundings from then on, at most 400 days before `until`. 14 days before it when absent. */
                    since?: number;
                    /** @description Epoch ms: settled fundings before then. Now when absent. */
                    until?: number;
                    exchange?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FundingResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read tick, step, minimum notional and leverage tiers of one symbol */
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    exchange?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ContractResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/technical-indicators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read indicator values at the last closed candle */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["IndicatorsBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["IndicatorsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/market/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which candles and fundings of a symbol are stored
         * @description Candles of the last minute may not be stored yet.
         */
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    exchange?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StoredHistoryResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/market/history/candles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read stored candles in packed form
         * @description Only what is stored; `GET /api/klines` fetches the rest.
         */
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    interval: components["schemas"]["IntervalName"];
                    exchange?: components["schemas"]["ExchangeName"];
                    price?: components["schemas"]["StoredPrice"];
                    /** @description Candles; all up to the limit when absent. */
                    limit?: number;
                    /** @description Epoch ms: only candles closed by then. Now when absent. */
                    endTime?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Packed columns. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/octet-stream": components["schemas"]["StoredCandlesBytes"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Backtest a weighted indicator strategy or rules on closed candles, or search for better sets of them
         * @description With `optimize` the response has the best set in `best`: of `params`, or of `strategy` with the ranges of `optimize.rulesSpace`. A deep search (more than 1,000 samples) is a job: the response is 202 with its id; follow it by `GET /api/backtest/searches/{id}` or the event stream.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunBacktestBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunBacktestResponse"];
                    };
                };
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backtest/last": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your newest run on the server */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LastBacktestResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backtest/saved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your named runs */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SavedRunsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backtest/saved/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a saved run */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SavedRunsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                503: components["responses"]["Problem503"];
            };
        };
        options?: never;
        head?: never;
        /** Rename a saved run */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RenameRunBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SavedRunsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                503: components["responses"]["Problem503"];
            };
        };
        trace?: never;
    };
    "/api/backtest/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the saved backtest screen */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SavedStateResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                503: components["responses"]["Problem503"];
            };
        };
        /** Save the backtest screen */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SavedStateBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SavedStateResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                503: components["responses"]["Problem503"];
            };
        };
        post?: never;
        /** Delete the saved backtest screen */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SavedStateResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                503: components["responses"]["Problem503"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backtest/searches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your long searches */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchesResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backtest/searches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One long search */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backtest/searches/{id}/trials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the figures of every set of a finished search */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Columns of numbers. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/octet-stream": components["schemas"]["TrialsBytes"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backtest/searches/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a long search */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backtest/portfolio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Backtest one account over many symbols, such as your Auto rules over your universe
         * @description One balance, with slots, guards and exposure limits; signals are ranked by score. Liquidations follow the last price. Symbols without candles are named in `left_out`. A run takes at most 60 s, loading included.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunPortfolioBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunPortfolioResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backtest/portfolio/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search thresholds, levels, slots and ranges of own rules of one account over many symbols
         * @description Searches the first 70 % of the candles, shows the best set and yours on the rest, and counts every set as tried. Closing the request stops it.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SearchPortfolioBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchPortfolioResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backtest/luck": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What luck alone finds among so many sets on these candles
         * @description Runs no set and counts nothing as tried.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LuckBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LuckResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backtest/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a backtest and get it as a signed file that anyone can verify offline
         * @description Takes the body of `POST /api/backtest` for one run, without `optimize` and `honesty`, and counts as one. The file holds candles, rules, costs, result, hashes and what you tried before. Verify it with `npx sextant verify`; keys are at `/.well-known/sextant-proof-key.json`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunBacktestBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            format: "sextant-proof-1";
                            issuer: string;
                            /** Format: date-time */
                            issuedAt: string;
                            market: {
                                symbol: string | null;
                                exchange: string | null;
                                interval: string;
                                label: string | null;
                                fineDataProblem: string | null;
                                revisions?: {
                                    interval: string;
                                    price: string;
                                    /** Format: date-time */
                                    at: string;
                                    /** Format: date-time */
                                    noticed_at: string;
                                    first: {
                                        open: number;
                                        high: number;
                                        low: number;
                                        close: number;
                                        volume: number;
                                    } | null;
                                    revised: {
                                        open: number;
                                        high: number;
                                        low: number;
                                        close: number;
                                        volume: number;
                                    };
                                }[];
                            };
                            request: {
                                [key: string]: unknown;
                            };
                            result: {
                                hashes: {
                                    engine: string;
                                    data: string;
                                    params: string;
                                    result: string;
                                };
                            } & {
                                [key: string]: unknown;
                            };
                            tried: {
                                trials: number;
                                looks: number;
                            };
                            key: {
                                /** @enum {string} */
                                algorithm: "Ed25519";
                                id: string;
                                publicKey: string;
                            };
                            signature: string;
                        };
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/sextant-proof-key.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Public keys of this installation for proofs */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Public keys of this installation for proofs, the current one first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            algorithm: "Ed25519";
                            keys: {
                                id: string;
                                public_key: string;
                                /** Format: date-time */
                                created_at: string;
                                /** @description null: signs now. */
                                retired_at: string | null;
                            }[];
                        };
                    };
                };
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shared-backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Repeat the backtest of a shared link */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SharedBacktestBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SharedBacktestResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check own rules as text
         * @description Returns the errors of the text with line, column and fix, or its parameters and how far it looks back. Nothing is run or stored.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CheckRulesBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CheckRulesResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your credits and ledger entries */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreditsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stream changes of your account */
        get: {
            parameters: {
                query?: {
                    /** @description Symbols to stream prices of, comma-separated; at most 220. */
                    symbols?: string;
                    /** @description Event id to resume after, for clients without the header `Last-Event-ID`. */
                    last_event_id?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The stream. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": components["schemas"]["EventsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/privacy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What you allow */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PrivacyResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
            };
        };
        /** Update your privacy settings */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PrivacyRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PrivacyResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export all your data as one JSON document */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExportResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/export/files/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download one of your files */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The file. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/webp": components["schemas"]["PictureBytes"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the deletion status of your account */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeletionResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
            };
        };
        put?: never;
        /** Delete your account after the grace period; every session and API key ends at once */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DeletionRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeletionResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
            };
        };
        /** Cancel the deletion of your account */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeletionResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your profile */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProfileResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        /** Update your display name and bio */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProfileRequestInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProfileResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profiles/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A public profile */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    username: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PublicProfileResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a profile picture: your own, or that of a public profile */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The picture. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/webp": components["schemas"]["PictureBytes"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profile/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set your avatar picture: the body is a PNG, JPEG or WebP file of at most 2 MiB */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "image/png": components["schemas"]["PictureBytes"];
                    "image/jpeg": components["schemas"]["PictureBytes"];
                    "image/webp": components["schemas"]["PictureBytes"];
                    "application/octet-stream": components["schemas"]["PictureBytes"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProfileResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
                507: components["responses"]["Problem507"];
            };
        };
        post?: never;
        /** Remove your avatar picture */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProfileResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profile/cover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set your cover picture: the body is a PNG, JPEG or WebP file of at most 2 MiB */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "image/png": components["schemas"]["PictureBytes"];
                    "image/jpeg": components["schemas"]["PictureBytes"];
                    "image/webp": components["schemas"]["PictureBytes"];
                    "application/octet-stream": components["schemas"]["PictureBytes"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProfileResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
                507: components["responses"]["Problem507"];
            };
        };
        post?: never;
        /** Remove your cover picture */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProfileResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rank users by simulated return on margin */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RankingResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/follows/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Follow a user of the ranking */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    username: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FollowResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
            };
        };
        post?: never;
        /** Unfollow a user */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    username: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FollowResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/research/backtests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read aggregate backtest results of all users */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResearchResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/watchlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the symbols you watch */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WatchlistResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        /** Watch a symbol */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WatchlistRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WatchlistResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        /**
         * Stop watching a symbol, named in the body
         * @description The same as `DELETE /api/watchlist/:symbol`.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WatchlistRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WatchlistResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/watchlist/{symbol}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Stop watching a symbol
         * @description Returns the remaining list, also when the symbol was not on it.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    symbol: components["schemas"]["SymbolName"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WatchlistResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/charts/drawings/{symbol}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your drawings on a symbol */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    symbol: components["schemas"]["SymbolName"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DrawingsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Add, replace or remove drawings on a symbol
         * @description The last write wins per drawing; the response names drawings that were changed elsewhere.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    symbol: components["schemas"]["SymbolName"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DrawingsRequestInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DrawingsChangeResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                503: components["responses"]["Problem503"];
            };
        };
        trace?: never;
    };
    "/api/charts/layouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your chart layouts */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LayoutsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        /** Save a chart layout */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LayoutRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LayoutsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/charts/layouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a chart layout */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LayoutsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                503: components["responses"]["Problem503"];
            };
        };
        options?: never;
        head?: never;
        /** Rename or replace a chart layout */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LayoutChangeRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LayoutsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                503: components["responses"]["Problem503"];
            };
        };
        trace?: never;
    };
    "/api/support/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sections of the help centre */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HelpCategoriesAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/articles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or search help articles */
        get: {
            parameters: {
                query?: {
                    /** @description Search words; the last may be incomplete. Default: all articles. */
                    q?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HelpArticlesAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/articles/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a help article */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HelpArticle"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask the help without saving the question (free) */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AskHelpRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AskHelpAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your chat with the assistant */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HelpChatAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
            };
        };
        put?: never;
        /**
         * Ask the assistant (free)
         * @description Answers come from the articles only and cite their passages.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SendHelpRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HelpMessagesAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
            };
        };
        /** Clear your chat */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HelpMessagesAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/chat/{id}/rating": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rate an answer */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RateHelpRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RatedHelpAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your API keys */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKeysResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
            };
        };
        put?: never;
        /** Create an API key; only this response shows it in full */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApiKeyRequestInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKeyCreated"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key on every node, within 5 seconds */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeyRevokedResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
            };
        };
        options?: never;
        head?: never;
        /** Update name, scopes, addresses or credit cap of an API key */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApiKeyChange"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKeyResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
            };
        };
        trace?: never;
    };
    "/api/account/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rotate an API key; the old one can stay valid for an hour or a day */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RotateRequestInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKeyCreated"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/api-subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your API plan, hourly use and all plans */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SubscriptionResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        /**
         * Buy a plan for 30 days with credits, or change to FREE
         * @description A paid plan can only change to FREE, at once and without a refund. Changing back is free until its paid end; another plan is bought separately. Plans do not renew.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes retries safe: the same key and body return the first response for 24 hours. */
                    "idempotency-key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SubscriptionResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                402: components["responses"]["Problem402"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the owner and permissions of this key */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WhoAmIResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/api-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the newest calls with your keys (30 days) */
        get: {
            parameters: {
                query?: {
                    key_id?: string;
                    /** @description e.g. `/api/klines` */
                    route?: string;
                    /** @description A status (`429`) or a class (`4xx`). */
                    status?: string;
                    mode?: components["schemas"]["KeyMode"];
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiLogsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/api-logs/routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the routes your keys called in the last 30 days */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CalledRoutesResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/api-logs/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export the newest 10,000 calls as CSV */
        get: {
            parameters: {
                query?: {
                    key_id?: string;
                    /** @description e.g. `/api/klines` */
                    route?: string;
                    /** @description A status (`429`) or a class (`4xx`). */
                    status?: string;
                    mode?: components["schemas"]["KeyMode"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiLogsCsv"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/api-usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read call counts, success and latency of the last 24 hours
         * @description Live keys by default; set `mode` to test for test keys.
         */
        get: {
            parameters: {
                query?: {
                    mode?: components["schemas"]["KeyMode"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiUsageResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documentation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the most used calls, with examples */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DocumentationResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read error codes, plan limits and good practice */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorInfoResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List collections for Postman, Insomnia and cURL */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CollectionsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/postman.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Postman collection (v2.1) */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CollectionFile"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/insomnia.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Insomnia collection (export format 4) */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CollectionFile"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/curl.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read every documented call as a cURL command */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CurlCollection"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the time, plan and invoices of your sandbox */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SandboxClockResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        /**
         * Move the time of your sandbox, with market, plan, invoices and webhooks
         * @description All test keys of an account share a clock. Equal calls after `restart` get equal bytes. A scan runs each 4 hours; a plan ends after 30 days, an invoice after 15 minutes.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SandboxClockRequestInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SandboxMoveResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/futures-signal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get the signal of one symbol at its last closed candle (free) */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FuturesSignalBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignalResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ensemble": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Combine several intervals of one symbol into one opinion (free) */
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    /** @description Comma-separated intervals; 15m,1h,4h when absent. */
                    intervals?: string;
                    exchange?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignalResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream signals, closed candles and prices by server-sent events or WebSocket
         * @description Signals are sent as their candle closes. Send the id of the last event as `Last-Event-ID` (or last_event_id) after a break to replay the last ten minutes, or get `resync`. At most 5 streams for a key and 10 for an account. Needs an API key.
         */
        get: {
            parameters: {
                query: {
                    /** @description 1 to 100 symbols, comma-separated. */
                    symbols: string;
                    /** @description Comma-separated intervals; 1h when absent. */
                    intervals?: string;
                    /** @description `signals`, `candles` and `prices`, comma-separated; signals when absent. `candles` and `prices` need the scope read:market too. */
                    events?: string;
                    /** @description Event id to resume after, for clients without the header `Last-Event-ID`. */
                    last_event_id?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The stream. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": components["schemas"]["StreamResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tuning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your signal tuning and its versions */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TuningResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        /** Update your signal tuning */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TuningBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TuningResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                503: components["responses"]["Problem503"];
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tuning/versions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a version of your tuning */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TuningResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                503: components["responses"]["Problem503"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/strategies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your saved strategies and the active one */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StrategiesResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        /**
         * Save a strategy
         * @description Returns the positions it would have opened in the last candles of your universe.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SaveStrategyBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SavedStrategyResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/strategies/used": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Select the strategy of scans and automatic opening
         * @description Applies to new positions only.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UseStrategyBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StrategiesResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                503: components["responses"]["Problem503"];
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/strategies/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a saved strategy */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StrategyVersionsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/strategies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Rename or update a saved strategy */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeStrategyBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SavedStrategyResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        post?: never;
        /** Delete a saved strategy */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StrategiesResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                503: components["responses"]["Problem503"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scan symbols across intervals (1 credit)
         * @description Reserves the credit and spends it when results are stored; a failed or cancelled scan returns it. Follow it by `GET /api/scan/{id}` or the event stream.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes retries safe: the same key and body return the first response for 24 hours. */
                    "idempotency-key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ScanBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScanStarted"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                402: components["responses"]["Problem402"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scan/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a scan; its credit is returned
         * @description At most 30 cancelled scans an hour; beyond that the scan runs to its end.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScanResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scan/last": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your last scan and the running one */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LastScanResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scan/away": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read scans run while you are away
         * @description Every 10 minutes, 1 credit each, while the preference `keep_scanning` is on and you have not scanned yourself in the last 10 minutes. Turns off at 0 credits.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AwayResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scan/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One scan */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScanResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scan/{id}/candidates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the outcome of every candidate of a scan */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CandidatesResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/signal/ai-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a second opinion on one scan result
         * @description A scan credit includes ten; call them in sequence, 120 ms apart (at most 50 in 6 seconds). 200: the model approved, or no model is set up (`ai_state: offline`) and `rule_check` says whether the built-in rules passed. 409 `ai_rejected`: the model did not approve, with `rationale`. 503 `ai_offline`: there is no verdict, `reason` says why; treat the result as not approved. The verdict is stored and the model is called once per result; a repeated call only applies `softApproval` and `allowAiCorrectionOnReject` again.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AiCheckBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AiCheckResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                /** @description Default Response */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AiCheckProblem"];
                    };
                };
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AiCheckProblem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/historic-signals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the immutable signal record, losers included */
        get: {
            parameters: {
                query?: {
                    /** @description Signals, newest first; 200 when absent. */
                    limit?: number;
                    /** @description Only signals of your own scans. */
                    mine?: "true" | "false";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HistoryResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/performance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read signal outcomes: hit rate, results after fees, calibration */
        get: {
            parameters: {
                query?: {
                    origin?: components["schemas"]["Origin"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PerformanceResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/replayed-signals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the replayed signals of one series with their outcomes, newest first */
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    interval: "15m" | "1h" | "4h";
                    /** @description Signals, newest first; 200 when absent. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReplayedResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scoreboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the public record: outcomes of every signal and the value of AI checks */
        get: {
            parameters: {
                query?: {
                    origin?: components["schemas"]["Origin"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScoreboardResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/strategies/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the replay of a saved strategy: its state and outcomes */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StrategyReplayResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        /**
         * Replay a saved strategy over the stored candles
         * @description Reads up to 150 symbols of the past universe, with 1,000 candles of signals each. One replay runs per account, 10 minutes after the start of the one before, or earlier when that was cancelled; it replaces the last one of the strategy.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StrategyReplayResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        /** Cancel the replay of a saved strategy; one that ended stays */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StrategyReplayResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                503: components["responses"]["Problem503"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your simulated positions, open or closed */
        get: {
            parameters: {
                query?: {
                    state?: "open" | "closed";
                    /** @description Closed ones: closed at or after this time; 24 hours ago when absent. */
                    since?: string;
                    /** @description 500 when absent. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PositionsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        /**
         * Open a simulated position
         * @description Uses a result of your scan, or your own levels. The server fills it at its last price. A rejection carries `reason` as in a preview, and as `rule` the `detail` of one. At most 60 in a minute.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes retries safe: the same key and body return the first response for 24 hours. */
                    "idempotency-key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OpenBody"];
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenedResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the totals of your closed positions and your equity over time */
        get: {
            parameters: {
                query?: {
                    /** @description Closes at or after this time; all when absent. */
                    since?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/skips": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List skipped openings of the last 30 days, with reasons */
        get: {
            parameters: {
                query?: {
                    since?: string;
                    /** @description 100 when absent. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SkipsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one position with its events */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PositionResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change stop, target or trailing of an open position
         * @description Applies from the moment it is stored. Candles before it meet the old levels, later ones the new; the minute of the change closes only by what both reach. A level the price has passed is rejected with the price. At most 60 in a minute.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChangedResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        trace?: never;
    };
    "/api/positions/auto": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the last run of automatic opening, with every skip */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LastRunResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        /**
         * Open the results of a scan by your rules
         * @description Opens only results approved by AI checks. Repeating it for a scan returns the same run.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AutoBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AutoRunResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/guards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read automatic opening and its guards
         * @description The limits are preferences (`guard_*`), as are the trailing settings (`trailing_enabled`, `trail_*`).
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GuardsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/guards/rearm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reset the drawdown guard; it measures from now on */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GuardsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview an opening: size, levels, liquidation, loss at the stop, fees */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OpenBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PreviewResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/close-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close all positions, or those of a kind
         * @description Each closes like a single one. A repetition with the same Idempotency-Key means the same positions: it tries those that are still open, and closes none opened later.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes retries safe: the same key and body return the first response for 24 hours. */
                    "idempotency-key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CloseAllBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CloseAllResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a position, or a part of it, now
         * @description At the server’s last price; rejected without a fresh one. A rest below the least order of the exchange is closed with it. Parts: at most 60 in a minute.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes retries safe: the same key and body return the first response for 24 hours. */
                    "idempotency-key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CloseBody"] | null;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClosedResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/{id}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a position and open the opposite one of the same size
         * @description At one price and in one transaction: both happen or neither.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes retries safe: the same key and body return the first response for 24 hours. */
                    "idempotency-key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReverseBody"] | null;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReversedResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/{id}/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read why the result of a closed automatic position differs from its test */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PositionReconciliation"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read why live results differ from tests, summed by cause and strategy */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReconciliationResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/journal/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your closed positions by day, hour, tag, symbol and setup */
        get: {
            parameters: {
                query?: {
                    /** @description Time zone of days and hours. */
                    zone?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JournalStatisticsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/journal/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your note, tags and picture of a position */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id of the position. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JournalResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        /** Write your note and tags of a position */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id of the position. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["JournalRequestInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JournalResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                503: components["responses"]["Problem503"];
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/journal/{id}/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the picture of a position in your journal */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id of the position. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The picture. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/webp": components["schemas"]["PictureBytes"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        /** Add a picture to a position: the body is a PNG, JPEG or WebP file of at most 2 MiB */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id of the position. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "image/png": components["schemas"]["PictureBytes"];
                    "image/jpeg": components["schemas"]["PictureBytes"];
                    "image/webp": components["schemas"]["PictureBytes"];
                    "application/octet-stream": components["schemas"]["PictureBytes"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JournalResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        post?: never;
        /** Remove the picture of a position from your journal */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id of the position. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JournalResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                503: components["responses"]["Problem503"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/market/positioning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read open interest, long/short ratio and next funding of symbols */
        get: {
            parameters: {
                query: {
                    /** @description 1 to 40 symbols, comma-separated. */
                    symbols: string;
                    exchange?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PositioningListResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/market/positioning/{symbol}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read open interest and long/short ratio of a symbol over time
         * @description As many points as one response of the exchange has: Binance 500, Bybit 200 and 500, OKX 100.
         */
        get: {
            parameters: {
                query?: {
                    interval?: components["schemas"]["IntervalName"];
                    exchange?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path: {
                    symbol: components["schemas"]["SymbolName"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PositioningResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your simulated orders that rest, or that ended */
        get: {
            parameters: {
                query?: {
                    state?: "resting" | "ended";
                    symbol?: components["schemas"]["SymbolName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrdersResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        /**
         * Place a simulated order
         * @description A market order fills at once; limit and stop orders rest with their margin set aside, and fill by prices and closed minutes after they were placed. A rejection carries `field`, `fix` and `preview`. At most 60 in a minute.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes retries safe: the same key and body return the first response for 24 hours. */
                    "idempotency-key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OrderBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview an order: fill, size, costs, loss at the stop, gain at the targets, liquidation
         * @description By the functions that fill it. `rejected` names the field and the fix where it would not be placed.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OrderBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderPreviewResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Cancel a resting order */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a resting order
         * @description It fills by the new terms from then on. One that ended meanwhile is `conflict` with `order`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OrderChange"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
            };
        };
        trace?: never;
    };
    "/api/arbitrage-scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare symbols across exchanges (1 credit when something is found)
         * @description Reserves a credit. A scan without items, or a failed one, returns it. While it runs, the event `arbitrage` carries `scan_id`, `status`, `done` and `total`.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes retries safe: the same key and body return the first response for 24 hours. */
                    "idempotency-key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ArbitrageScanBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ArbitrageScanResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                402: components["responses"]["Problem402"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/arbitrage/last": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your last arbitrage scan with items, and the running one */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LastArbitrageResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/arbitrage/scans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One arbitrage scan with its items
         * @description For a scan whose response was lost: its id is in the event `arbitrage` and is the `ref` of its credit in `GET /api/credits`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneArbitrageScanResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/arbitrage/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read both order books of a pair, per coin
         * @description Prices and sizes are per coin, also for contracts of 1,000 coins. Free.
         */
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    buy: components["schemas"]["ExchangeName"];
                    sell: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PairBooksResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/arbitrage/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the gross spread of a pair per minute
         * @description Up to five minutes behind.
         */
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    buy: components["schemas"]["ExchangeName"];
                    sell: components["schemas"]["ExchangeName"];
                    /** @description 6 when absent. */
                    hours?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SpreadHistoryResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/arbitrage/persistence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how long spreads above costs last
         * @description Measured by the service once a second, for all users.
         */
        get: {
            parameters: {
                query?: {
                    symbol?: components["schemas"]["SymbolName"];
                    buy?: components["schemas"]["ExchangeName"];
                    sell?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SpreadPersistenceResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/arbitrage/funding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare funding rates between exchanges, per day */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FundingDifferencesResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/arbitrage/watches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Pairs you watch */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ArbitrageWatchesResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        /**
         * Alert when the net spread of a pair rises above a level
         * @description One alert per crossing, sent to your notification targets. It rearms after a minute below the level.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ArbitrageWatchBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ArbitrageWatchResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/arbitrage/watches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Stop watching a pair */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ArbitrageWatchesResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                503: components["responses"]["Problem503"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vision/last": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your last chart analysis */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LastVisionResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vision/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read results of your chart positions by pattern and sentiment */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["VisionStatistics"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vision/pictures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the re-encoded picture of your last chart analysis */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The picture. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/webp": components["schemas"]["PictureBytes"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vision/patterns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what followed each chart pattern on stored candles, by symbol and interval
         * @description Replayed in the background, with the interval of each share and the baseline of all candles.
         */
        get: {
            parameters: {
                query?: {
                    symbol?: components["schemas"]["SymbolName"];
                    interval?: "15m" | "1h" | "4h";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PatternRecordResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vision/analyze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a picture of a chart and find its market (1 credit for a usable result)
         * @description The picture goes into the field `image` of a form: PNG, JPEG or WebP, at most 2 MiB. One at a time for each user. The credit is reserved and returned, with `refund_message`, when the picture is no chart or the result is neutral or has no valid levels. While it runs, the event `vision` carries `analysis_id`, `status`, `step` and `pct`.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes retries safe: the same key and body return the first response for 24 hours. */
                    "idempotency-key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["PictureForm"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["VisionResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                402: components["responses"]["Problem402"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
                429: components["responses"]["Problem429"];
                500: components["responses"]["Problem500"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your notification targets */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List deliveries to your targets */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveriesResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set the webhook URL */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SecretResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
            };
        };
        post?: never;
        /** Remove the webhook target */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        options?: never;
        head?: never;
        /** Switch messages by webhook on or off, or choose their events */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TargetChange"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
            };
        };
        trace?: never;
    };
    "/api/notifications/webhook/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret of your webhook
         * @description For 24 hours each message is signed with both keys.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RenewedResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/telegram/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a link that connects your Telegram chat */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TelegramLinkResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/telegram/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test message by telegram */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/telegram": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove the telegram target */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
            };
        };
        options?: never;
        head?: never;
        /** Switch messages by telegram on or off, or choose their events */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TargetChange"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
            };
        };
        trace?: never;
    };
    "/api/notifications/webhook/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test message by webhook */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resend a failed message */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveriesResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your webhooks, newest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhooksResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        /**
         * Create a webhook; only this response shows its secret
         * @description Messages are signed as Standard Webhooks: verify `webhook-signature` with the secret. A response other than 2xx is a failure: it is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, later with Retry-After. 410 switches the webhook off, as do three days of failures. At most 20 webhooks, 5 of them to one host.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookPayloadInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookCreated"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a webhook and its deliveries */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhooksResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
            };
        };
        options?: never;
        head?: never;
        /** Update URL or events of a webhook, or switch it on or off */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookUpdate"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
            };
        };
        trace?: never;
    };
    "/api/webhooks/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the secret of a webhook; both sign for 24 hours */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RenewedResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message now and return the response
         * @description Its `type` is `test`, without `sequence`; a named event is in `data.example`, so no receiver mistakes it for a real one. One attempt.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookTestRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookTestResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List deliveries to a webhook with their responses */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookDeliveriesResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries/{delivery}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resend a message with its original id */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    delivery: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookDeliveryResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the browsers that receive pushes, with the key to subscribe another */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PushSubscriptionsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        /**
         * Send pushes to this browser
         * @description A repeated subscription replaces the keys of the first.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PushSubscriptionBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PushSubscriptionsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
            };
        };
        /**
         * Send no more pushes to a browser, named in the body
         * @description Returns the remaining browsers, also when it was not listed.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PushEndpointBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PushSubscriptionsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your alerts and the channels they can use */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        /**
         * Set an alert
         * @description Judged on the server also while no page is open. A crossing during a downtime is detected from the minute candles afterwards and marked late. At most 400 alerts.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AlertBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/{id}/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what fired an alert, and where it was delivered
         * @description Each receipt has the values that decided: deciding again from them gives the same result.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertReceiptsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/{id}/receipts/{receipt}/shown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Store that a page showed a firing, and read it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    receipt: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ShownResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an alert with its receipts */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        options?: never;
        head?: never;
        /** Change, pause or rearm an alert */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AlertChangeBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
                504: components["responses"]["Problem504"];
            };
        };
        trace?: never;
    };
    "/api/billing/now/create-payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an invoice for credits, paid in USDT or BNB
         * @description While an invoice is open, it is returned (`is_existing`) instead of a new one. The order is stored before the provider is called. A rejection carries the provider’s message in `provider_detail`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreatePaymentBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Invoice"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                /** @description Default Response */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaymentProblem"];
                    };
                };
                429: components["responses"]["Problem429"];
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/now/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an open invoice, or close it at the end of its countdown
         * @description `cancelled` is false when nothing was open; not an error. Reason `expired` before the end of the countdown is rejected. Money that arrives later is still credited.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CancelPaymentBodyInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CancelPaymentResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/now/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the status of one payment */
        get: {
            parameters: {
                query: {
                    /** @description Id of the payment at its provider, or our own id of it. */
                    payment_id: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Invoice"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your payments, newest first */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaymentsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one payment with its events */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaymentDetailResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/payments/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your latest payment, or your latest pending one */
        get: {
            parameters: {
                query?: {
                    /** @description Returns the latest PENDING payment of this many hours; 1 when only `status` is given. */
                    hours?: number;
                    /** @description Filters for a pending payment. */
                    status?: "PENDING";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LatestPaymentResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List payment methods with network, minimum and your last use */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MethodsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/now/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Quote a purchase in coins, with the provider’s minimum */
        get: {
            parameters: {
                query: {
                    amount: number;
                    currency: "usdt" | "bnb" | "usdttrc20" | "bnbbsc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EstimateResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                /** @description Default Response */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaymentProblem"];
                    };
                };
                502: components["responses"]["Problem502"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/moonpay/url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Create a signed URL of the card widget
         * @description Opens an order, or returns the open one. Only the provider’s notification adds credits, never the return URL. Without keys it is the sandbox, for 100 USD, without credits.
         */
        get: {
            parameters: {
                query?: {
                    amount?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CardUrlResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/now/ipn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Receive a signed NOWPayments notification */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NoticeResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/moonpay/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Receive a signed MoonPay notification */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NoticeResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read credits bought and used by month, and payment results by method */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaymentAnalyticsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your receipts, newest first
         * @description Issued within seconds of a purchase or refund.
         */
        get: {
            parameters: {
                query?: {
                    year?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReceiptsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/receipts/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export the receipts of a year as CSV */
        get: {
            parameters: {
                query: {
                    year: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReceiptsCsv"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/receipts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One receipt */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReceiptResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/receipts/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a receipt as PDF
         * @description The file of a receipt never changes.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The receipt. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": components["schemas"]["ReceiptPdf"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/news": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List unread news with sources, reactions and keyword analysis */
        get: {
            parameters: {
                query?: {
                    /** @description Number of unread stories; 50 when absent. */
                    limit?: number;
                    symbol?: components["schemas"]["SymbolName"];
                    /** @description Only stories reported by this source. */
                    source?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/news/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark one, many or all stories as read */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewsReadBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsReadResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                503: components["responses"]["Problem503"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/news/tweets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List posts of the social source */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TweetsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/news/market": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List symbols in the news, with price and change */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsMarketResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/news/sentiment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count bullish and bearish items of the last 24 hours */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsSentimentResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/news/trending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rank symbols and keywords of the last 24 hours by stories */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsTrendingResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/news/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the track record of each source and keyword */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsRecordsResponse"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/news/marks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List stories about one symbol as chart marks */
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    /** @description Epoch ms. */
                    from: number;
                    /** @description Epoch ms. */
                    to: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsMarksResponse"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/news/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your news settings */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsSettings"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                429: components["responses"]["Problem429"];
                503: components["responses"]["Problem503"];
            };
        };
        /** Save your news settings */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewsSettings"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsSettings"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                503: components["responses"]["Problem503"];
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AiCheckBodyInput: {
            /**
             * Format: uuid
             * @description A scan of yours that is done; its credit includes ten checks.
             */
            scan_id: string;
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            /**
             * @description Accepted and ignored; the stored result is checked on the candles of the scan.
             * @default 200
             */
            limit?: components["schemas"]["CandleLimit"];
            /** @description Optional; must equal the value of the scan. */
            balance?: components["schemas"]["Balance"];
            /** @description Optional; must equal the value of the scan. */
            riskTolerance?: components["schemas"]["RiskTolerance"];
            /** @description Optional; must equal the value of the scan. */
            leverage?: components["schemas"]["Leverage"];
            /** @description Optional; must equal the value of the scan. */
            tuning?: components["schemas"]["Tuning"];
            /**
             * @description Let a reject pass with the stop and target of the analyst.
             * @default false
             */
            allowAiCorrectionOnReject?: boolean;
            /**
             * @description Let a reject pass with at most half the size.
             * @default false
             */
            softApproval?: boolean;
        };
        /** @description An error, with the result of the check if it ran. */
        AiCheckProblem: {
            /** @description The code as a URI. */
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @description Stable; see docs/errors.md. */
            code: string;
            message: string;
            error: string;
            request_id: string;
            /** @description The input to change, e.g. `params.entryThreshold`. */
            field?: string;
            /** @description The request waits for this exchange; retry after Retry-After seconds. */
            exchange?: string;
            /** Format: uuid */
            scan_id?: string;
            symbol?: string;
            interval?: string;
            /**
             * @description `online`: a model is set up, not called yet; `approved`, `rejected`: its verdict; `offline`: no model is set up, or it gave no verdict.
             * @enum {string}
             */
            ai_state?: "online" | "approved" | "rejected" | "offline";
            /** @description With `offline` and no model: result of the built-in rules, which gate opening like an AI check. null where a model judges. */
            rule_check?: ("not_run" | "passed" | "not_passed") | null;
            /** @description A model's verdict; null without one. */
            aiApproved?: boolean | null;
            aiRationale?: string | null;
            aiProposal?: components["schemas"]["AiProposal"] | null;
            suggestedRiskMultiplier?: number | null;
            /** @description Distances from the entry in percent that replace the engine's levels; null: unchanged. */
            correction?: {
                stop_loss_pct: number;
                take_profit_pct: number;
            } | null;
            /** @description built_in: fixed rules, no AI model. */
            decided_by?: ("model" | "built_in") | null;
            /** @description The model's id, or the version of the built-in rules. */
            model?: string | null;
            /** @description Why there is no verdict; null: there is one. */
            reason?: string | null;
            checks_left?: number;
            /** @description Of 409: the same as aiRationale. */
            rationale?: string | null;
        };
        AiCheckResponse: {
            /** Format: uuid */
            scan_id: string;
            symbol: string;
            interval: string;
            /**
             * @description `online`: a model is set up, not called yet; `approved`, `rejected`: its verdict; `offline`: no model is set up, or it gave no verdict.
             * @enum {string}
             */
            ai_state: "online" | "approved" | "rejected" | "offline";
            /** @description With `offline` and no model: result of the built-in rules, which gate opening like an AI check. null where a model judges. */
            rule_check: ("not_run" | "passed" | "not_passed") | null;
            /** @description A model's verdict; null without one. */
            aiApproved: boolean | null;
            aiRationale: string | null;
            aiProposal: components["schemas"]["AiProposal"] | null;
            suggestedRiskMultiplier: number | null;
            /** @description Distances from the entry in percent that replace the engine's levels; null: unchanged. */
            correction: {
                stop_loss_pct: number;
                take_profit_pct: number;
            } | null;
            /** @description built_in: fixed rules, no AI model. */
            decided_by: ("model" | "built_in") | null;
            /** @description The model's id, or the version of the built-in rules. */
            model: string | null;
            /** @description Why there is no verdict; null: there is one. */
            reason: string | null;
            checks_left: number;
        };
        AiProposal: {
            tags: string[];
            horizon_min: number | null;
            stop_loss_pct_suggest: number | null;
            take_profit_pct_suggest: number | null;
        };
        AiValue: {
            /** @enum {string} */
            decided_by: "model" | "built_in";
            /** @description The model's id, or the version of the built-in rules. */
            model: string;
            /** @description Checked signals that are not resolved yet. */
            open: number;
            /** @description Resolved duplicates of counted signals. */
            repeats: number;
            /** @description At least `needed` passed and `needed` vetoed. */
            is_enough: boolean;
            needed: number;
            all: components["schemas"]["OutcomeGroup"];
            passed: components["schemas"]["OutcomeGroup"];
            vetoed: components["schemas"]["OutcomeGroup"];
            /** @description Mean result under a random veto of the same size, with its 95 % band; signals that are open at the same time are one draw. null: not enough. */
            random: {
                mean: number;
                low: number;
                high: number;
            } | null;
            /** @description Mean result of what passed minus that of the random veto. */
            value_added: number | null;
            /** @description Chance of at least this value without skill. */
            p_value: number | null;
        };
        Alert: {
            /** Format: uuid */
            id: string;
            condition: components["schemas"]["AlertCondition"];
            /** @description The condition in one line. */
            text: string;
            repeats: boolean;
            pause_minutes: number;
            channels: ("page" | "push" | "email" | "telegram" | "webhook")[];
            note: string | null;
            expires_at: components["schemas"]["InstantOrNull"];
            /** @enum {string} */
            state: "active" | "paused" | "fired" | "expired" | "stopped";
            /** @description Why the service stopped it. */
            state_reason: string | null;
            fired_count: number;
            last_fired_at: components["schemas"]["InstantOrNull"];
            /** Format: date-time */
            created_at: string;
        };
        AlertBodyInput: {
            condition: components["schemas"]["AlertConditionInput"];
            /**
             * @description Fires each time; false: once.
             * @default false
             */
            repeats?: boolean;
            /**
             * @description Least time between two firings.
             * @default 1
             */
            pause_minutes?: number;
            /**
             * @default [
             *       "page"
             *     ]
             */
            channels?: ("page" | "push" | "email" | "telegram" | "webhook")[];
            /** @default null */
            note?: string | null;
            /** @default null */
            expires_at?: string | null;
        };
        AlertChangeBodyInput: {
            condition?: components["schemas"]["AlertConditionInput"];
            repeats?: boolean;
            pause_minutes?: number;
            channels?: ("page" | "push" | "email" | "telegram" | "webhook")[];
            note?: string | null;
            expires_at?: string | null;
            /**
             * @description `active` also arms an alert again that has fired, expired or stopped.
             * @enum {string}
             */
            state?: "active" | "paused";
        };
        /** @description What the alert waits for. Indicators, signals and formulas are judged at the close of a candle. */
        AlertCondition: {
            /** @constant */
            kind: "price";
            /** @default binance */
            exchange: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            /**
             * @description `cross`: from either side. `above` and `below` also fire when the value is there already.
             * @enum {string}
             */
            when: "cross" | "above" | "below";
            level: number;
        } | {
            /** @constant */
            kind: "change";
            /** @default binance */
            exchange: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            minutes: number;
            /** @description Size of the move, percent. */
            pct: number;
            /** @enum {string} */
            direction: "up" | "down" | "either";
        } | {
            /** @constant */
            kind: "indicator";
            /** @default binance */
            exchange: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            /** @description Id of the indicator, such as rsi. */
            indicator: string;
            /**
             * @description Parameters by name; the defaults of the indicator for the rest.
             * @default {}
             */
            params: {
                [key: string]: number;
            };
            /** @description Output of the indicator, such as value. */
            output: string;
            /**
             * @description `cross`: from either side. `above` and `below` also fire when the value is there already.
             * @enum {string}
             */
            when: "cross" | "above" | "below";
            level: number;
        } | {
            /** @constant */
            kind: "signal";
            /** @default binance */
            exchange: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            /**
             * @description A saved strategy; null: the rules of live signals.
             * @default null
             */
            strategy_id: string | null;
            /** @enum {string} */
            direction: "LONG" | "SHORT" | "any";
        } | {
            /** @constant */
            kind: "spread";
            symbol: components["schemas"]["SymbolName"];
            buy: components["schemas"]["ExchangeName"];
            sell: components["schemas"]["ExchangeName"];
            net_pct: number;
            /** @default 8 */
            hold_hours: number;
        } | {
            /** @constant */
            kind: "funding";
            /** @default binance */
            exchange: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            /**
             * @description `cross`: from either side. `above` and `below` also fire when the value is there already.
             * @enum {string}
             */
            when: "cross" | "above" | "below";
            rate_pct: number;
        } | {
            /** @constant */
            kind: "liquidation";
            /** Format: uuid */
            position_id: string;
            /** @description Distance of the mark price to the liquidation price, percent of the price. */
            distance_pct: number;
        } | {
            /** @constant */
            kind: "news";
            symbol: components["schemas"]["SymbolName"];
            /** @default false */
            high_impact: boolean;
        } | {
            /** @constant */
            kind: "formula";
            /** @default binance */
            exchange: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            /** @description A condition in the language of own rules, such as `rsi(14) < 30 and close > ema(50)`. */
            expression: string;
        };
        /** @description What the alert waits for. Indicators, signals and formulas are judged at the close of a candle. */
        AlertConditionInput: {
            /** @constant */
            kind: "price";
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            /**
             * @description `cross`: from either side. `above` and `below` also fire when the value is there already.
             * @enum {string}
             */
            when: "cross" | "above" | "below";
            level: number;
        } | {
            /** @constant */
            kind: "change";
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            minutes: number;
            /** @description Size of the move, percent. */
            pct: number;
            /** @enum {string} */
            direction: "up" | "down" | "either";
        } | {
            /** @constant */
            kind: "indicator";
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            /** @description Id of the indicator, such as rsi. */
            indicator: string;
            /**
             * @description Parameters by name; the defaults of the indicator for the rest.
             * @default {}
             */
            params?: {
                [key: string]: number;
            };
            /** @description Output of the indicator, such as value. */
            output: string;
            /**
             * @description `cross`: from either side. `above` and `below` also fire when the value is there already.
             * @enum {string}
             */
            when: "cross" | "above" | "below";
            level: number;
        } | {
            /** @constant */
            kind: "signal";
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            /**
             * @description A saved strategy; null: the rules of live signals.
             * @default null
             */
            strategy_id?: string | null;
            /** @enum {string} */
            direction: "LONG" | "SHORT" | "any";
        } | {
            /** @constant */
            kind: "spread";
            symbol: components["schemas"]["SymbolName"];
            buy: components["schemas"]["ExchangeName"];
            sell: components["schemas"]["ExchangeName"];
            net_pct: number;
            /** @default 8 */
            hold_hours?: number;
        } | {
            /** @constant */
            kind: "funding";
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            /**
             * @description `cross`: from either side. `above` and `below` also fire when the value is there already.
             * @enum {string}
             */
            when: "cross" | "above" | "below";
            rate_pct: number;
        } | {
            /** @constant */
            kind: "liquidation";
            /** Format: uuid */
            position_id: string;
            /** @description Distance of the mark price to the liquidation price, percent of the price. */
            distance_pct: number;
        } | {
            /** @constant */
            kind: "news";
            symbol: components["schemas"]["SymbolName"];
            /** @default false */
            high_impact?: boolean;
        } | {
            /** @constant */
            kind: "formula";
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            /** @description A condition in the language of own rules, such as `rsi(14) < 30 and close > ema(50)`. */
            expression: string;
        };
        AlertReceipt: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            alert_id: string;
            /** @description Number of the firing of this alert, from 1. */
            firing: number;
            condition: components["schemas"]["AlertCondition"];
            text: string;
            value_text: string | null;
            note: string | null;
            /** @description The values that decided, enough to decide again. */
            evidence: {
                side_before: ("below" | "above") | null;
                value: number;
                before: {
                    value: number;
                    atMs: number;
                } | null;
                observation: {
                    /** @constant */
                    source: "value";
                    value: number;
                    atMs: number;
                } | {
                    /** @constant */
                    source: "candle";
                    openMs: number;
                    closeMs: number;
                    isWhole: boolean;
                    high: number;
                    low: number;
                    close: number;
                };
                basis: ({
                    /** @constant */
                    kind: "change";
                    from: {
                        value: number;
                        atMs: number;
                    };
                    price: number;
                } | {
                    /** @constant */
                    kind: "candles";
                    exchange: string;
                    symbol: string;
                    interval: string;
                    close_ms: number;
                    count: number;
                    hash: string;
                } | {
                    /** @constant */
                    kind: "prices";
                    buy_price: number;
                    sell_price: number;
                } | {
                    /** @constant */
                    kind: "position";
                    price: number;
                    liquidation_price: number;
                } | {
                    /** @constant */
                    kind: "story";
                    title: string;
                    link: string;
                    source: string;
                }) | null;
            };
            /**
             * Format: date-time
             * @description Time of the deciding price or candle, by the exchange.
             */
            exchange_at: string;
            /** Format: date-time */
            detected_at: string;
            /** @description When an open page showed it first. */
            shown_at: components["schemas"]["InstantOrNull"];
            /** @description Detected afterwards, from the candles of a downtime. */
            is_late: boolean;
            deliveries: {
                /** @enum {string} */
                channel: "page" | "push" | "email" | "telegram" | "webhook";
                /** @enum {string} */
                state: "waiting" | "sent" | "failed";
                at: components["schemas"]["InstantOrNull"];
                failure: string | null;
            }[];
        };
        AlertReceiptsResponse: {
            /** @description The newest 100, newest first. */
            receipts: components["schemas"]["AlertReceipt"][];
        };
        AlertResponse: {
            alert: components["schemas"]["Alert"];
        };
        AlertsResponse: {
            /** @description Newest first. */
            alerts: components["schemas"]["Alert"][];
            count_max: number;
            channels: {
                /** @enum {string} */
                id: "page" | "push" | "email" | "telegram" | "webhook";
                /** @description What to set up before the channel delivers; null: nothing. */
                missing: string | null;
            }[];
        };
        AnalyticsGroup: {
            name: string;
            trades: number;
            wins: number;
            pnl: number;
            net_pnl: number;
            /** @description Mean `r_multiple`. */
            mean_r: components["schemas"]["RiskMultiple"];
        };
        AnalyticsResponse: {
            /** @description The simulated capital of your settings, where the curve starts. */
            balance_usdt: number;
            all: components["schemas"]["AnalyticsTotals"];
            last_24h: components["schemas"]["AnalyticsTotals"];
            by_reason: components["schemas"]["AnalyticsGroup"][];
            by_side: components["schemas"]["AnalyticsGroup"][];
            /** @description By net_pnl, largest first, at most 50. */
            by_symbol: components["schemas"]["AnalyticsGroup"][];
            by_source: components["schemas"]["AnalyticsGroup"][];
            /** @description `high` from 70 %, `low` below. */
            by_confidence: components["schemas"]["AnalyticsGroup"][];
            /** @description One point per close, oldest first, the newest 2,000: its net_pnl, and the sum up to it. */
            curve: {
                /** Format: date-time */
                at: string;
                net_pnl: number;
                total: number;
            }[];
            /** @description Marked to market every five minutes while positions are open, oldest first, the newest 2,016. */
            equity: {
                /** Format: date-time */
                at: string;
                /** @description balance + realised + unrealised; null when a price was missing. */
                equity: number | null;
                realised: number;
                unrealised: number | null;
                /** @description Sum of |notional| of open positions at their prices. */
                exposure: number | null;
                /** @description Open positions without a fresh price at that moment. */
                missing: number;
            }[];
        };
        AnalyticsTotals: {
            trades: number;
            /** @description Closes with net_pnl > 0. */
            wins: number;
            losses: number;
            /** @description wins / trades; null without trades. */
            win_rate: number | null;
            pnl: number;
            fees: number;
            funding: number;
            net_pnl: number;
            /** @description Net gains over net losses; null without a loss. */
            profit_factor: number | null;
            /** @description Mean net_pnl of a close; null without trades. */
            expectancy: number | null;
            best: number | null;
            worst: number | null;
            mean_hours_held: number | null;
            /** @description Deepest fall of the realised net curve from its peak, closed trades only. */
            max_drawdown: number;
            /** @description Mean `r_multiple`. */
            mean_r: components["schemas"]["RiskMultiple"];
        };
        ApiCall: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            request_id: string;
            method: string;
            path: string;
            route: string;
            status: number;
            success: boolean;
            duration_ms: number;
            ip: string;
            credits: number;
            /** Format: uuid */
            key_id: string;
            key_name: string | null;
            mode: components["schemas"]["KeyMode"];
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            name: string;
            mode: components["schemas"]["KeyMode"];
            /** @description False once revoked; listed for 30 more days. */
            active: boolean;
            last_used_at: components["schemas"]["InstantOrNull"];
            last_used_ip: string | null;
            scopes: components["schemas"]["ApiScopeName"][];
            ip_allowlist: string[];
            credit_cap: number | null;
            /** @description Spent this month (UTC). */
            credits_this_month: number;
            /** @example sx_live_a1B2c3D4_…x9Yz */
            masked: string;
            /** @description The previous key, while it is valid. */
            previous: {
                masked: string;
                /** Format: date-time */
                expires_at: string;
            } | null;
        };
        ApiKeyChange: {
            name?: string;
            /** @description Empty: all read scopes. */
            scopes?: components["schemas"]["ApiScopeName"][];
            /** @description Allowed addresses and networks (CIDR). Empty: any. */
            ip_allowlist?: string[];
            /** @description Credits the key may spend per calendar month (UTC); null: no cap. */
            credit_cap?: number | null;
        };
        ApiKeyCreated: {
            /** @description The full key, shown once and not stored. */
            api_key: string;
            key: components["schemas"]["ApiKey"];
        };
        ApiKeyRequestInput: {
            /** @default live */
            mode?: components["schemas"]["KeyMode"];
            /** @default Server key */
            name?: string;
            /**
             * @description Empty: all read scopes.
             * @default []
             */
            scopes?: components["schemas"]["ApiScopeName"][];
            /**
             * @description Allowed addresses and networks (CIDR). Empty: any.
             * @default []
             */
            ip_allowlist?: string[];
            /**
             * @description Credits the key may spend per calendar month (UTC); null: no cap.
             * @default null
             */
            credit_cap?: number | null;
        };
        ApiKeyResponse: {
            key: components["schemas"]["ApiKey"];
        };
        ApiKeysResponse: {
            keys: components["schemas"]["ApiKey"][];
        };
        /** @description RFC 4180, newest first, at most 10,000 calls. */
        ApiLogsCsv: string;
        ApiLogsResponse: {
            /** @description Newest first. */
            items: components["schemas"]["ApiCall"][];
        };
        /** @enum {string} */
        ApiPlan: "FREE" | "STARTER" | "PRO" | "BUSINESS";
        /**
         * @description `read:market`: Prices, candles, funding rates and indicators. `read:signals`: Signals, scans and their outcomes. `run:signals`: Start scans, which cost credits, and AI checks. `run:arbitrage`: Compare exchanges; a scan with results costs a credit. `run:backtest`: Run backtests and read their results. `read:account`: Credits, positions, settings, plan and usage. `trade:paper`: Place and change simulated orders, manage simulated positions. `manage:webhooks`: Set up, test and resend webhook messages.
         * @enum {string}
         */
        ApiScopeName: "read:market" | "read:signals" | "run:signals" | "run:arbitrage" | "run:backtest" | "read:account" | "trade:paper" | "manage:webhooks";
        ApiUsageResponse: {
            /** @description Calls with keys in the last 24 hours. */
            total: number;
            success: number;
            /** @description Part of the total: rejected calls beyond 60 a minute per key. Counted, not logged. */
            not_listed: number;
            /** @description Fraction; null without a call. */
            success_rate: number | null;
            credits: number;
            avg_ms: number | null;
            p50_ms: number | null;
            p95_ms: number | null;
            p99_ms: number | null;
            /** @description Last 24 hours, oldest first; the first is partial. */
            items: {
                /** Format: date-time */
                at: string;
                total: number;
                /** @description Calls that succeeded. */
                ok: number;
            }[];
            /** @description Most called first. */
            routes: {
                route: string;
                total: number;
            }[];
        };
        AppliedContract: {
            exchange: components["schemas"]["ExchangeName"];
            symbol: string;
            /** @description Price step, USDT. */
            tickSize: number;
            /** @description Quantity step, base units. */
            stepSize: number;
            /** @description Least notional of an order, USDT; 0 when none is stated. */
            minNotional: number;
            /** @description Largest market order, base units; 0 when none is stated. */
            maxQuantity: number;
            /** @description null: not stated by the exchange. */
            leverageMax: number | null;
            /** @description Lowest first. null: unknown, e.g. Binance without an API key. A last row with `leverageMax` 0 marks the size limit. */
            tiers: components["schemas"]["LeverageTier"][] | null;
            /**
             * Format: date-time
             * @description When the exchange ended the contract; absent while it is listed.
             */
            endedAt?: string;
            /** @description Leverage of the run: `costs`, capped by the exchange. */
            leverage: number;
            /** @description Why the leverage was lowered, or that tiers are unknown; then one maintenance rate applies at every size. */
            notes: string[];
        };
        ArbitrageItem: {
            symbol: string;
            /** @description Gross spread of the best prices: (bid - ask) / ask, percent. No fee is taken off. */
            spreadPct: number;
            badge: components["schemas"]["SpreadBadge"];
            /** @description Lowest ask. */
            bestBuy: components["schemas"]["ExchangeName"];
            /** @description Highest bid. */
            bestSell: components["schemas"]["ExchangeName"];
            /** @description Middle of bid and ask of each exchange, per coin. */
            prices: {
                binance?: number;
                bybit?: number;
                okx?: number;
            };
            quotes: {
                binance?: components["schemas"]["VenueQuote"];
                bybit?: components["schemas"]["VenueQuote"];
                okx?: components["schemas"]["VenueQuote"];
            };
            /** @description Time between the two quotes. */
            skewMs: number;
            /** @description Mid price of the sold exchange relative to the bought one. */
            midSkewPct: number;
            /** @description Gross: notional x spreadPct / 100, without fees, depth and funding. */
            theoreticalPnlUsdt: number;
            /** @description After fees and funding at the best prices, without depth. */
            netAtBestPricesPct: number;
            /** @description At your notional, by both order books; null without books. */
            atNotional: components["schemas"]["SizedSpread"] | null;
            /** @description At the size with the highest net; null without books or a positive net. */
            atBestSize: components["schemas"]["SizedSpread"] | null;
            /**
             * @description `not_read`: beyond the number of order books read. `failed`: an exchange gave none.
             * @enum {string}
             */
            depth: "read" | "not_read" | "failed";
            /** @description Epoch ms since when this spread is above costs; null when it is not. */
            existsSinceMs: number | null;
        };
        ArbitrageParams: {
            symbols: string[];
            minSpreadPct: number;
            notionalUsdt: number;
            exchanges: components["schemas"]["ExchangeName"][];
            maxCount: number;
            holdHours: number;
            takerFees: {
                binance: number;
                bybit: number;
                okx: number;
            };
        };
        ArbitrageResults: {
            /** @description Highest net at your notional first, at most 100. */
            items: components["schemas"]["ArbitrageItem"][];
            /** @description Symbols at or above `minSpreadPct`, shown or not. */
            found: number;
            /** @description Symbols with comparable quotes on at least two exchanges. */
            compared: number;
            leftOut: {
                /** @description How many by reason; pairs for `stamps_differ`. */
                counts: {
                    [key: string]: number;
                };
                /** @description The first 50. */
                examples: {
                    symbol: string;
                    exchange: components["schemas"]["ExchangeName"] | null;
                    reason: components["schemas"]["LeftOutReason"];
                }[];
            };
            venues: components["schemas"]["ArbitrageVenue"][];
            /** @description Mean gross spread of the items; null without items. */
            averageSpreadPct: number | null;
            /** @description Level of the average spread: `HIGH` above 0.5 %, `MEDIUM` above 0.2 %, else `LOW`. */
            riskLevel: ("HIGH" | "MEDIUM" | "LOW") | null;
            /** @description Items whose net at your notional is positive. */
            netPositive: number;
            /** @description Quotes further apart in time are not compared. */
            skewLimitMs: number;
            bookRequests: number;
            timing: {
                quotesMs: number;
                engineMs: number;
                booksMs: number;
                totalMs: number;
            };
        };
        ArbitrageScan: {
            /** Format: uuid */
            scanId: string;
            status: components["schemas"]["ArbitrageStatus"];
            /** Format: date-time */
            createdAt: string;
            finishedAt: components["schemas"]["InstantOrNull"];
            params: components["schemas"]["ArbitrageParams"];
            /** @description Steps: quotes of each exchange, then order books. The event `arbitrage` has the same. */
            progress: {
                done: number;
                total: number;
            };
            results: components["schemas"]["ArbitrageResults"] | null;
            failure: string | null;
        };
        ArbitrageScanBodyInput: {
            /** @description 1 to 200 USDT perpetuals; case and duplicates are ignored. */
            symbols: string[];
            /**
             * @description Least gross spread in percent.
             * @default 0.1
             */
            minSpreadPct?: number;
            /**
             * @description USDT of each leg.
             * @default 1000
             */
            notionalUsdt?: number;
            /**
             * @default [
             *       "binance",
             *       "bybit",
             *       "okx"
             *     ]
             */
            exchanges?: components["schemas"]["ExchangeName"][];
            /** @default 100 */
            maxCount?: number;
            /**
             * @description Holding time until both legs close, hours; funding counts until then.
             * @default 8
             */
            holdHours?: number;
            /** @description Taker fee of each exchange; its lowest public tier when absent. */
            takerFees?: {
                /** @description Fraction of the notional: 0.0005 is 0.05 %. */
                binance?: number;
                /** @description Fraction of the notional: 0.0005 is 0.05 %. */
                bybit?: number;
                /** @description Fraction of the notional: 0.0005 is 0.05 %. */
                okx?: number;
            };
        };
        ArbitrageScanResponse: {
            /** Format: uuid */
            scanId: string;
            items: components["schemas"]["ArbitrageItem"][];
            scan: components["schemas"]["ArbitrageScan"];
            /** @description Whether a credit was spent; scans without items are free. */
            charged: boolean;
            /** @description Credits left. */
            credits: number;
            /**
             * @example 1 credit consumed for arbitrage scan
             * @example No arbitrage opportunities found with current settings
             */
            message: string;
        };
        /**
         * @description `empty`: no spread reached the minimum; no charge.
         * @enum {string}
         */
        ArbitrageStatus: "running" | "done" | "empty" | "failed";
        ArbitrageVenue: {
            exchange: components["schemas"]["ExchangeName"];
            /** @enum {string} */
            state: "compared" | "failed";
            /** @description Why symbols were not compared; null when all were. */
            failure: string | null;
            /** @description Symbols with a valid quote. */
            quotes: number;
            /** @description Quotes among these from memory; the rest were requested. */
            streamed: number;
        };
        ArbitrageWatch: {
            /** Format: uuid */
            id: string;
            symbol: string;
            buy: components["schemas"]["ExchangeName"];
            sell: components["schemas"]["ExchangeName"];
            /** @description 2 is 2 %. */
            netPct: number;
            holdHours: number;
            takerFees: {
                buy: number;
                sell: number;
            };
            /** Format: date-time */
            createdAt: string;
            /** @description True when the last sample was above the level. */
            isAbove: boolean;
            /** @description Alerts sent. */
            crossings: number;
            lastCrossedAt: components["schemas"]["InstantOrNull"];
        };
        ArbitrageWatchBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            buy: components["schemas"]["ExchangeName"];
            sell: components["schemas"]["ExchangeName"];
            /** @description Alert level: net spread at the best prices, percent. */
            netPct: number;
            /**
             * @description Holding time until both legs close, hours; funding counts until then.
             * @default 8
             */
            holdHours?: number;
            /** @description Taker fee of each exchange; its lowest public tier when absent. */
            takerFees?: {
                /** @description Fraction of the notional: 0.0005 is 0.05 %. */
                binance?: number;
                /** @description Fraction of the notional: 0.0005 is 0.05 %. */
                bybit?: number;
                /** @description Fraction of the notional: 0.0005 is 0.05 %. */
                okx?: number;
            };
        };
        ArbitrageWatchResponse: {
            watch: components["schemas"]["ArbitrageWatch"];
        };
        ArbitrageWatchesResponse: {
            /** @description Newest first, at most 20. */
            watches: components["schemas"]["ArbitrageWatch"][];
            /** @description Notification targets for spread alerts; 0: add one in your account. */
            targets: number;
        };
        AskHelpAnswer: {
            answer: string;
            /**
             * @description `model`: AI text from the sources; `quotes`: the sources verbatim; `nothing_found`: not in the help; `other_language`: not English, nearest sources; `advice`: trading advice, declined.
             * @enum {string}
             */
            written_by: "model" | "quotes" | "nothing_found" | "other_language" | "advice";
            sources: components["schemas"]["HelpSource"][];
            suggested: string[];
        };
        AskHelpRequest: {
            question: string;
        };
        AtrPeriod: number;
        AutoBody: {
            /** Format: uuid */
            scan_id: string;
        };
        AutoItem: {
            symbol: string;
            interval: string;
            side: components["schemas"]["Side"] | null;
            confidence: number | null;
            /** @enum {string} */
            outcome: "OPENED" | "FAILED" | "NEUTRAL" | "LOW_CONF" | "ZERO_QTY" | "NO_MATCH";
            detail: components["schemas"]["SkipDetail"] | null;
            message: string;
            position_id: string | null;
        };
        AutoRun: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            scan_id: string;
            /** Format: date-time */
            created_at: string;
            finished_at: components["schemas"]["InstantOrNull"];
            opened: number;
            skipped: number;
            failed: number;
            /** @description Why nothing was opened; null when something was. */
            reason: components["schemas"]["SkipReason"] | null;
            /** @description This run opened your first automatic positions. */
            is_first: boolean;
            /** @description Why the scan may open nothing: it ended longer ago than its shortest interval. null: it may open. */
            refused: "scan_too_old" | null;
            /** @description `Auto position opened: {side} {symbol}` each, `Auto open failed for n/m` when some failed, or why none was opened. */
            messages: string[];
            items: components["schemas"]["AutoItem"][];
        };
        AutoRunResponse: {
            run: components["schemas"]["AutoRun"];
            /** @description true: this call ended the run. false: the run had ended before, and nothing was done. */
            is_new: boolean;
        };
        AwayResponse: {
            /** @description `keep_scanning` of your preferences; turns off at 0 credits, or when your rules no longer compile. */
            is_on: boolean;
            /** @description The newest scan the service started, or failed to start, for you. */
            last: {
                /** Format: date-time */
                at: string;
                scan_id: string | null;
                /** @enum {string} */
                status: "queued" | "running" | "done" | "failed" | "cancelled" | "refused";
                /** @description Why it failed or was rejected. */
                message: string | null;
            } | null;
        };
        /** @description Input to repeat the run. */
        BacktestSetup: {
            exchange: string | null;
            /** @description The symbol, or the name of your candles. */
            label: string | null;
            /** @description Epoch ms at which the last candle closed. */
            end_time: number;
            loaded: number;
            scored: number;
            costs: {
                /** @default 0.0005 */
                takerFeeFraction: number;
                /** @default 0.0002 */
                makerFeeFraction: number;
                /** @default 0.0001 */
                slippageFraction: number;
                /** @default 0.0002 */
                stopSlippageFraction: number;
                /** @default 1000 */
                initialEquity: number;
                /** @default 1000 */
                notional: number;
                /** @default 10 */
                leverage: number;
                /** @default 0.005 */
                maintenanceMarginFraction: number;
                /**
                 * @description What longs pay at each assumed funding, a fraction of the notional.
                 * @default 0.0001
                 */
                assumedFundingFraction: number;
                /**
                 * @default market
                 * @enum {string}
                 */
                takeProfitOrder: "market" | "limit";
                /**
                 * @description What is charged: the settled rates, `assumedFundingFraction` at 0, 8 and 16 h UTC, or nothing.
                 * @default history
                 * @enum {string}
                 */
                fundingSource: "history" | "assumed" | "off";
                /**
                 * @description What comes first in a candle that holds both stop and target.
                 * @default stop
                 * @enum {string}
                 */
                sameBar: "stop" | "target";
                /** @enum {string} */
                liquidationModel?: "binance" | "bybit" | "okx";
                tiers?: components["schemas"]["LeverageTier"][];
                tickSize?: number;
                stepSize?: number;
                minNotional?: number;
                /** @description Largest market order, base units; 0: no limit. */
                maxQuantity?: number;
                /** @description Slippage that the size of a fill adds: so many volatilities of a candle times the square root of its share of the turnover; 0: none. */
                impactCoefficient?: number;
                /** @description Largest part of the turnover of a candle that an entry takes; 0: no limit. */
                turnoverShareMax?: number;
                /** @description Whose rules `tickSize`, `stepSize`, `minNotional`, `maxQuantity` and `tiers` are. Changes no figure. */
                rulesOf?: {
                    /** @enum {string} */
                    exchange: "binance" | "bybit" | "okx";
                    symbol: string;
                    /** @description The leverage that was set, where the exchange grants less at this size. */
                    leverageAsked?: number;
                    /** @description The tiers of the exchange are unknown; `tiers` holds the one maintenance rate and the limits that a run then has. */
                    areTiersAssumed?: boolean;
                };
            };
            /** @description Run with mark prices and minute candles. Absent in older runs. */
            fineData?: boolean;
            /** @description True: the scored candles were selected by date. */
            isRange?: boolean;
        };
        Balance: number;
        /** @description Full backtest of the best set. */
        BestRun: {
            /** @description Net USDT after fees and funding; the same as `netPnl`. */
            pnl: number;
            /** @description Number of trades; the trades themselves are in `tradeList`. */
            trades: number;
            /** @description Largest fall of mark-to-market equity from its peak, a fraction. */
            maxDrawdown: number;
            /** @description The parameters of this result. */
            bestParams: components["schemas"]["StrategyParams"];
            /** @description Profit of all trades after slippage, fees and funding, in USDT. Formula: net = gross PnL - fees - funding. */
            netPnl: number;
            /** @description Net PnL with the stop first in every bar that reaches both. The default. */
            pessimisticNetPnl: number;
            /** @description Net PnL with the target first in every bar that reaches both. The truth is mostly between the two bounds. */
            optimisticNetPnl: number;
            /** @description Share of trades with a net PnL above 0. Small targets raise it: check the expectancy too. Formula: winners / trades. None when: no trade. */
            winRate: number | null;
            /** @description Closed trades, one at a time. A trade open at the last candle closes there as END. */
            tradeCount: number;
            /** @description Largest fall of mark-to-market equity from its peak, open positions included. Highlighted above 10 %. Formula: max((peak - equity) / peak). */
            maxDrawdownFraction: number;
            /** @description Mean daily return over its deviation, per year. Uses UTC days; needs 30. Formula: mean / sample deviation x sqrt(365). None when: less than 30 days, no variation, or an equity that was used up. */
            sharpe: components["schemas"]["Statistic"];
            /** @description Like the Sharpe ratio, with losing days as the risk. Formula: mean / downside deviation x sqrt(365). None when: less than 30 days, no variation, or an equity that was used up, or no day that lost. */
            sortino: components["schemas"]["Statistic"];
            /** @description Net winnings over net losses. Above 1 is profitable; needs a losing trade. Formula: sum of wins / sum of losses. None when: no losing trade. */
            profitFactor: number | null;
            /** @description Average net PnL of a trade, in USDT. Formula: net PnL / trades. None when: no trade. */
            expectancy: number | null;
            /** @description Share of the scored candles with an open position. */
            exposureFraction: number;
            /** @description All entry and exit fees, in USDT. A liquidation fee is part of its lost margin. Formula: sum of notional x rate. */
            fees: number;
            /** @description Trades whose exit bar reached both the target and the stop or liquidation price. The loss counts unless target first is set. */
            ambiguousFraction: number;
            /** @description Return of buying the same size at the start and selling at the end, fees included, on the start equity. */
            buyAndHoldFraction: number;
            /** @description Price gains at the fills, slippage included, before fees and funding. Formula: sum of (exit - entry) x side x quantity. */
            grossPnl: number;
            /** @description Cost of filling worse than the chart price. */
            slippage: number;
            /** @description Payments between longs and shorts while holding. Longs pay a positive rate. Formula: side x quantity x mark x rate. */
            funding: number;
            /** @description Candle in which the equity was used up. Trading stops there. None when: the equity was never used up. */
            ruinIndex: number | null;
            /** @description Gaps in the candles. Indicators and holding times skip over them. */
            gapCount: number;
            /** @description Candles missing in the gaps. */
            missingCandleCount: number;
            /** @description All candles of the run, warm-up included. */
            loadedCount: number;
            /** @description Candles the run trades on, the newest. All figures use them. */
            scoredCount: number;
            /** @description Closed long trades. */
            longCount: number;
            /** @description Closed short trades. */
            shortCount: number;
            /** @description Trades whose liquidation price came before or at the stop. */
            stopBeyondLiquidationCount: number;
            /** @description False when funding is assumed, off, absent, or has a gap above 8 hours. */
            isFundingKnown: boolean;
            /** @description Unfilled signals: no volume in the next candle, size below the minimum, or too little equity. */
            droppedSignalCount: number;
            /** @description Signals during an open position. One position at a time. */
            skippedSignalCount: number;
            /** @description Positions the exchange closed for lack of margin. Each loses its whole margin. */
            liquidationCount: number;
            /** @description Trades closed only because the data ended. */
            forcedCloseCount: number;
            /** @description Why signals were not filled: no volume, below the minimum size, equity left does not cover the smallest order. */
            droppedSignals: {
                noVolume: number;
                tooSmall: number;
                marginShort: number;
            };
            /** @description UTC days with a scored candle, for the daily figures. */
            dayCount: number;
            /** @description Compounded yearly growth at this pace. Needs 30 days. Formula: (end equity / start equity)^(365 / days) - 1. None when: less than 30 days, or an equity that was used up. */
            annualReturnFraction: number | null;
            /** @description Price change from the first scored open to the last close. Formula: last close / first open - 1. */
            marketChangeFraction: number;
            /** @description Yearly return that is independent of the market's moves. Formula: (mean daily return - beta x mean daily market return) x 365. None when: less than 30 days, or an equity that was used up, or a market that did not move. */
            alphaFraction: number | null;
            /** @description How equity moves with the market: 1 like a full long, 0 independent, below 0 against it. Formula: covariance(daily return, market return) / variance(market return). None when: less than 30 days, or an equity that was used up, or a market that did not move. */
            beta: number | null;
            /** @description Largest daily return of mark-to-market equity, by UTC days. None when: the equity was used up. */
            bestDayFraction: number | null;
            /** @description Smallest daily return of mark-to-market equity, by UTC days. None when: the equity was used up. */
            worstDayFraction: number | null;
            /** @description UTC days with a gain. None when: the equity was used up. */
            wonDayCount: number | null;
            /** @description UTC days with unchanged equity. None when: the equity was used up. */
            flatDayCount: number | null;
            /** @description UTC days with a loss. None when: the equity was used up. */
            lostDayCount: number | null;
            /** @description Simple yearly net profit per unit of max drawdown. Formula: (net PnL / start equity) x (365 / days) / max drawdown. None when: less than 30 days, or no drawdown. */
            calmar: number | null;
            /** @description All daily gains over all daily losses. Above 1 is profitable. Formula: sum of daily gains / sum of daily losses. None when: less than 30 days, or an equity that was used up, or no day that lost. */
            omega: number | null;
            /** @description Largest fall of mark-to-market equity from its peak, in USDT. Formula: max(peak - equity). */
            maxDrawdownUsdt: number;
            /** @description Largest fall of equity with every held candle at its worst price, costs included. An exit candle counts at its open. Formula: max((peak - equity at the worst price) / peak). */
            intrabarDrawdownFraction: number;
            /** @description Most candles in a row below the equity peak. May still last. */
            longestUnderwaterCandles: number;
            /** @description Share of scored candles below the equity peak. */
            underwaterFraction: number;
            /** @description Mean trade over its deviation, times the root of the number of trades. Formula: mean / sample deviation x sqrt(trades). None when: fewer than 30 trades, or no variation. */
            sqn: number | null;
            /** @description How often independent trades without an edge look this good, if this were the only set tried. Honesty counts the others. Formula: P(T >= SQN), Student t with trades - 1 degrees of freedom. None when: fewer than 30 trades, or no variation. */
            meanPValue: number | null;
            /** @description Risk share for the fastest growth at exactly these rates. Treat it as a ceiling. Below 0: do not trade. Formula: win rate - (1 - win rate) / payoff ratio. None when: fewer than 30 trades, no winner, or no loser. */
            kellyFraction: number | null;
            /** @description Share of the long trades with a net PnL above 0. None when: no long trade. */
            winRateLong: number | null;
            /** @description Share of the short trades with a net PnL above 0. None when: no short trade. */
            winRateShort: number | null;
            /** @description Mean net PnL of the trades that won. None when: no winning trade. */
            averageWin: number | null;
            /** @description Mean net PnL of the trades that lost. None when: no losing trade. */
            averageLoss: number | null;
            /** @description Average win for each unit of the average loss. Formula: average win / average loss. None when: no winner, or no loser. */
            payoffRatio: number | null;
            /** @description Average net PnL of a trade per unit of average loss. Formula: expectancy / average loss. None when: no losing trade. */
            expectancyRatio: number | null;
            /** @description Largest net PnL of a trade. None when: no trade. */
            bestTrade: number | null;
            /** @description Smallest net PnL of a trade. None when: no trade. */
            worstTrade: number | null;
            /** @description Most trades in a row with a net PnL above 0. */
            winsInARow: number;
            /** @description Most trades in a row with a net PnL below 0. */
            lossesInARow: number;
            /** @description Mean candles from entry to exit of the trades that won. 0: out in the candle of the entry. None when: no winning trade. */
            candlesHeldByWinners: number | null;
            /** @description Mean candles from entry to exit of the trades that lost. 0: out in the candle of the entry. None when: no losing trade. */
            candlesHeldByLosers: number | null;
            /** @description Largest share of a candle's turnover in one fill. Above a few percent it moves the price. Formula: quantity x price / (volume x close of the candle of the fill). None when: no trade, or candles without volume. */
            turnoverShareLargest: number | null;
            /** @description Median share of a candle's turnover per fill, entries and exits. None when: no trade, or candles without volume. */
            turnoverShareMedian: number | null;
            /** @description Trades with a fill above 1 % of its candle's turnover. */
            largeFillTradeCount: number;
            /** @description Entries capped by your turnover limit. */
            limitedEntryCount: number;
            /** @description Trades with the largest market order of the exchange (`maxQuantity`), which the settings may exceed. */
            largestOrders: number;
            /** @description Trades that are smaller than set because the account could not pay for more, and when the first was opened (epoch ms); null: none. */
            sizesCut: {
                count: number;
                fromMs: number;
            } | null;
            tradeList: components["schemas"]["Trade"][];
            /** @description Mark-to-market equity at the close of each scored candle, USDT. */
            equity: number[];
            /** @description Score of each scored candle, null while a vote warms up. */
            score: (number | null)[];
            /** @description SHA-256 of the engine file, the input columns, the parameters with costs, and the result. */
            hashes: {
                engine: string;
                data: string;
                params: string;
                result: string;
            };
            origin: {
                /** @enum {string} */
                kind: "sample" | "refined";
                index: number;
            };
            /** @description Target value in training; null when no set met its conditions. */
            value: number | null;
            reason?: string;
            /** @description Figures of the best set on the window of the search. */
            train: {
                [key: string]: unknown;
            };
            /** @description The best set of a rules search; `bestParams` is then ignored. */
            strategy?: components["schemas"]["StoredStrategy"];
            /** @description Value of each parameter of own rules with a range, by name. */
            values?: {
                [key: string]: number;
            };
        };
        Calibration: {
            count: number;
            /** @description Mean squared difference of confidence and outcome. */
            brier: number | null;
            /** @description Reference: always stating the win rate. */
            brier_of_base_rate: number | null;
            /** @description Log loss: mean of -ln(stated chance of the outcome). */
            log_loss: number | null;
            /** @description Reference: always stating the win rate. */
            log_loss_of_base_rate: number | null;
            /** @description Expected calibration error. */
            ece: number | null;
            bins: {
                from: number;
                to: number;
                count: number;
                won: number;
                mean_confidence: number | null;
                win_rate: number | null;
                interval: components["schemas"]["RateInterval"];
            }[];
        };
        CalledRoutesResponse: {
            routes: string[];
        };
        CancelPaymentBodyInput: {
            /** Format: uuid */
            order_id: string;
            /**
             * @description `expired`: countdown at zero; stored as EXPIRED.
             * @default cancelled
             * @enum {string}
             */
            reason?: "cancelled" | "expired";
        };
        CancelPaymentResponse: {
            /** @description False: no pending payment for this order; nothing changed. */
            cancelled: boolean;
            payment: components["schemas"]["Payment"] | null;
        };
        /**
         * @description `margin`: losses left too little equity when it was due; `no_position`: nothing was open that it could close; `rejected`: a rule of opening did not hold when it was due, `message` names it; `deleted`: the account is being deleted.
         * @enum {string}
         */
        CancelReason: "owner" | "delisted" | "margin" | "no_position" | "rejected" | "deleted";
        CandidatesResponse: {
            candidates: {
                symbol: string;
                /** @description `*`: the whole symbol was left out. */
                interval: string;
                /** @enum {string} */
                outcome: "ELIGIBLE" | "NEUTRAL" | "LOW_CONF" | "ZERO_QTY" | "NO_MATCH";
                filtered_by: string | null;
                confidence: number | null;
                signal_id: string | null;
            }[];
        };
        CandleLimit: number;
        CandleVersion: {
            open: number;
            high: number;
            low: number;
            close: number;
            volume: number;
        };
        CardUrlResponse: {
            /** @description Signed address of the widget, for an iframe. */
            url: string;
            /** @description Origin of the widget; ignore messages from other origins. */
            origin: string;
            /** @description null: cards are not configured; the sandbox gives no credits. */
            order_id: string | null;
            /** @description Our payment id, to read its status. */
            payment_id: string | null;
            amount: number;
            is_configured: boolean;
            is_sandbox: boolean;
        };
        ChallengeResponse: {
            /** @description Send it with a code to `POST /api/auth/second-factor` within 10 minutes. */
            challenge: string;
        };
        ChangeBodyInput: {
            /** @description Rounded to the tick towards the price. It must lie between the liquidation price and the last price. */
            stop_loss?: number;
            /** @description Rounded to the tick towards the price; beyond the last price. Of several targets the next one. */
            take_profit?: number;
            /** @description Replaces all targets; nearest first, shares sum to 1. */
            take_profits?: components["schemas"]["Targets"];
            /**
             * @description Moves the stop to where fees, slippage, funding and losses of parts so far are earned back.
             * @constant
             */
            break_even?: true;
            /** @description Trails from the last price on. Absent values stay as the position has them, or else as your settings have them. */
            trailing?: components["schemas"]["TrailingChange"];
            /** @description The levels you saw; absent targets are not compared. Other levels now: `conflict` with `current`, and nothing changes. */
            expected?: {
                /** @description Price in quote currency. */
                stop_loss: number;
                /** @description Price in quote currency. */
                take_profit: number;
                take_profits?: components["schemas"]["TargetSharesInput"] | null;
            };
        };
        /** @description Missing fields stay unchanged. A new value makes a new version. */
        ChangeStrategyBodyInput: {
            name?: string;
            value?: components["schemas"]["StrategyInput"];
            /** @description Own rules as text in place of `value`, with `interval`: `long when rsi(14) < 30`. */
            rules?: components["schemas"]["RulesText"];
            /** @description Interval of the candles on which `rules` decide. */
            interval?: components["schemas"]["IntervalName"];
        };
        ChangedFields: {
            /** @description Price in quote currency. */
            stop_loss?: number;
            /** @description Price in quote currency. */
            take_profit?: number;
            take_profits?: components["schemas"]["TargetShares"] | null;
            trailing?: {
                mode: ("percent" | "atr") | null;
                callback_pct: number | null;
                step_pct: number | null;
                atr_mult: number | null;
                atr_period: number | null;
                activation_pct: number | null;
            };
        };
        ChangedResponse: {
            position: components["schemas"]["Position"];
        };
        CheckRulesBodyInput: {
            /** @description Own rules as text, such as `long when rsi(14) < 30`. */
            rules: string;
            /**
             * @description Interval of the candles that decide. Intervals in the text must be longer.
             * @default 1h
             */
            interval?: components["schemas"]["IntervalName"];
        };
        CheckRulesResponse: {
            /** @description Whether the text can be run. */
            ok: boolean;
            /** @description In order of position, at most 20. Empty: it can be run. */
            errors: {
                /** @description From 1. */
                line: number;
                /** @description From 1, in UTF-16 units. */
                column: number;
                /** @description Characters concerned; 0 at the end of the text. */
                length: number;
                message: string;
                /** @description What to write instead. */
                fix: string;
            }[];
            /** @description Valid rules that are probably a mistake. Empty when there are errors. */
            warnings: {
                /** @description From 1. */
                line: number;
                /** @description From 1, in UTF-16 units. */
                column: number;
                /** @description Characters concerned; 0 at the end of the text. */
                length: number;
                message: string;
                /** @description What to write instead. */
                fix: string;
            }[];
            /** @description In the order of the text. */
            parameters: {
                name: string;
                value: number;
                from: number;
                to: number;
                /** @description 0: no range. */
                step: number;
                /** @description Values of the range; 1 without one. */
                count: number;
            }[];
            /** @description Most sets that a search over the ranges tries: their grid, and the written values beside it. 1 without ranges, 0 with errors. */
            setCount: number;
            /** @description Candles read before the first decision, the base interval first. */
            lookBack: {
                interval: string;
                candles: number;
            }[];
        };
        CloseAllBody: {
            /**
             * @description Losers and winners by the net result of closing now, all costs included.
             * @enum {string}
             */
            which: "all" | "losers" | "winners" | "long" | "short";
        };
        CloseAllResponse: {
            closed: components["schemas"]["Position"][];
            /** @description Still open, with the reason. */
            left: {
                /** Format: uuid */
                id: string;
                symbol: string;
                side: components["schemas"]["Side"];
                code: string;
                message: string;
            }[];
            /** @description Sum over `closed`. */
            net_pnl: number;
        };
        CloseBody: {
            /** @description Share of what is open: 0.25 is a quarter. Rounded down to the step of the exchange. */
            fraction?: number;
            /** @description Base units. */
            quantity?: number;
        };
        /**
         * @description `TIME`: the holding time of its strategy; `SIGNAL`: the opposite signal; `DELISTED`: the exchange ended the contract, settled at the last mark price.
         * @enum {string}
         */
        CloseReason: "LIQ" | "SL" | "TP" | "MANUAL" | "TIME" | "SIGNAL" | "DELISTED";
        ClosedResponse: {
            /** @description After the fill; `closed_at` is null while a part stays open. */
            position: components["schemas"]["Position"];
            fill: components["schemas"]["PositionFill"];
            /** @description Roundings, and why all of it was closed. */
            notes: string[];
        };
        CodeRequest: {
            /** @description Six-digit authenticator code, or a recovery code. */
            code: string;
        };
        CollectionEntry: {
            /** @enum {string} */
            name: "postman" | "insomnia" | "curl";
            download_url: string;
            /** @description Full URL of the file, for import. */
            import_url: string;
            collection_data: {
                examples: {
                    name: string;
                    curl: string;
                }[];
            };
        };
        CollectionFile: {
            [key: string]: unknown;
        };
        CollectionsResponse: {
            collections: components["schemas"]["CollectionEntry"][];
        };
        ConfidenceBasis: {
            interval: string;
            kind: components["schemas"]["ConfidenceKind"];
            strategy_version: string;
            /** @description Id of the calibration; null: none yet. */
            version: number | null;
            /** @description Outcomes used; near-identical signals count once. */
            outcome_count: number;
            /** @description Outcomes needed for calibration. */
            needed: number;
            /** @description Share that gained after fees. */
            base_rate: number | null;
            /** @description Outcomes known by then were used. */
            as_of: components["schemas"]["InstantOrNull"];
            /** @description Oldest and newest signal used. */
            window_from: components["schemas"]["InstantOrNull"];
            window_to: components["schemas"]["InstantOrNull"];
            /** @description Raw confidence and win chance, ascending; linear between, flat beyond. Empty: score. */
            points: {
                raw: number;
                chance: number;
            }[];
            /** @description Mean net result of those that gained, in stop distances. */
            mean_win_stops: number | null;
            /** @description Mean net result of the others, in stop distances. */
            mean_loss_stops: number | null;
            /** @description Outcomes of Live rules on stored candles. Part of `chance`, never of `confidence`. null: none. */
            replayed?: {
                /** Format: date-time */
                as_of: string;
                /** @description Independent replayed outcomes. */
                outcome_count: number;
                /** @description Share that gained after fees. */
                base_rate: number | null;
                /** @description Oldest and newest replayed signal. */
                window_from: components["schemas"]["InstantOrNull"];
                window_to: components["schemas"]["InstantOrNull"];
                points: {
                    raw: number;
                    chance: number;
                }[];
                mean_win_stops: number | null;
                mean_loss_stops: number | null;
                /** @description Mean result after fees, percent of the entry price. */
                mean_net_pct: number | null;
                /** @description Its 95 % interval, errors summed by blocks of days. At most 0: no edge shown. */
                net_low_pct: number | null;
                net_high_pct: number | null;
            } | null;
        };
        /**
         * @description `calibrated`: win chance after fees, measured on past outcomes; `score`: not measured yet, raw value.
         * @enum {string}
         */
        ConfidenceKind: "score" | "calibrated";
        ConfidenceReport: {
            /** @description Origin of the outcomes in `before`, `after` and `chance`. */
            origin: components["schemas"]["Origin"];
            /** @description Current basis of the confidence, per interval. */
            bases: components["schemas"]["ConfidenceBasis"][];
            /** @description Raw confidence of resolved signals with calibrated confidence. */
            before: components["schemas"]["Calibration"];
            /** @description Calibrated confidence of the same signals, stated before their outcomes. */
            after: components["schemas"]["Calibration"];
            /** @description `chance` as stated, from replayed outcomes at first, by the live outcomes that followed. */
            chance: components["schemas"]["Calibration"];
        };
        ConfirmEmailRequest: {
            token: string;
        };
        ConfirmSignUpRequest: {
            token: string;
            password: string;
        };
        ConfirmationSentResponse: {
            user: null;
            /** @constant */
            confirmation_sent: true;
        };
        ContractResponse: {
            exchange: components["schemas"]["ExchangeName"];
            /**
             * @description Only live data comes from a real exchange.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @description Milliseconds since the exchange last confirmed this data. */
            data_age_ms: number;
            contract: components["schemas"]["ContractRules"];
        };
        /** @description Order and position rules of the exchange for the symbol. */
        ContractRules: {
            exchange: components["schemas"]["ExchangeName"];
            symbol: string;
            /** @description Price step, USDT. */
            tickSize: number;
            /** @description Quantity step, base units. */
            stepSize: number;
            /** @description Least notional of an order, USDT; 0 when none is stated. */
            minNotional: number;
            /** @description Largest market order, base units; 0 when none is stated. */
            maxQuantity: number;
            /** @description null: not stated by the exchange. */
            leverageMax: number | null;
            /** @description Lowest first. null: unknown, e.g. Binance without an API key. A last row with `leverageMax` 0 marks the size limit. */
            tiers: components["schemas"]["LeverageTier"][] | null;
            /**
             * Format: date-time
             * @description When the exchange ended the contract; absent while it is listed.
             */
            endedAt?: string;
        };
        CreatePaymentBody: {
            /** @description US dollars to pay; buys as many credits. */
            amount?: number;
            /** @description The same as `amount`, under its other name. */
            tokens?: number;
            /**
             * @description `usdt` is USDT on TRC-20, `bnb` is BNB on BEP-20.
             * @enum {string}
             */
            currency?: "usdt" | "bnb" | "usdttrc20" | "bnbbsc";
            /**
             * @description The same as `currency`, under its other name.
             * @enum {string}
             */
            pay_currency?: "usdt" | "bnb" | "usdttrc20" | "bnbbsc";
        };
        CreditsResponse: {
            /** @description Whole credits available; 1 credit was 1 USD. */
            balance: number;
            /** @description The same as `balance`, under its other name. */
            credits: number;
            /** @description Reserved for running work; spent on success, returned otherwise. */
            held: number;
            /** @description The newest 20 entries, newest first. */
            entries: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                at: string;
                /**
                 * @description grant: added; hold: reserved; capture: a reservation spent; release: a reservation returned.
                 * @enum {string}
                 */
                kind: "grant" | "hold" | "capture" | "release";
                /**
                 * @example welcome
                 * @example scan
                 */
                reason: string;
                /** @description Change of the balance; the balance is the sum of all entries. */
                credits: number;
                /** @description Reference, e.g. the id of a scan. */
                ref: string | null;
                note: string | null;
            }[];
        };
        /** @description Commands for a shell. */
        CurlCollection: string;
        /** @description All null without a session. */
        CurrentSessionResponse: {
            user: components["schemas"]["User"] | null;
            expires_at: components["schemas"]["InstantOrNull"];
            /** @description Event id to start GET /api/events from without a gap; null while events are unavailable. */
            last_event_id: string | null;
        };
        DeletionRequest: {
            /** @description Email address of the account, typed to confirm. */
            email: string;
        };
        /** @description Both times are null without a deletion request. */
        DeletionResponse: {
            requested_at: components["schemas"]["InstantOrNull"];
            /** @description When the account is erased. */
            erase_after: components["schemas"]["InstantOrNull"];
            can_cancel: boolean;
            /** @description False for a demo account. */
            is_deletable: boolean;
            /** @description Days in which you can cancel. */
            grace_days: number;
        };
        DeliveriesResponse: {
            /** @description The newest 50, newest first; stored for 30 days. */
            deliveries: {
                /**
                 * Format: uuid
                 * @description Part of `webhook-id`, the same for every attempt.
                 */
                id: string;
                /** @enum {string} */
                channel: "telegram" | "webhook" | "email" | "push";
                /** @enum {string} */
                kind: "scan_finished" | "credits_low" | "position_opened" | "position_closed" | "arbitrage_spread" | "alert_fired" | "alert_ended" | "test";
                /** @enum {string} */
                state: "waiting" | "sent" | "failed";
                attempt_count: number;
                next_attempt_at: components["schemas"]["InstantOrNull"];
                /** @description HTTP status of the last attempt. */
                status: number | null;
                failure: string | null;
                /** Format: date-time */
                created_at: string;
                finished_at: components["schemas"]["InstantOrNull"];
            }[];
        };
        DocumentationResponse: {
            base_url: string;
            /** @description By page, in the order of the screen. */
            calls: components["schemas"]["DocumentedCall"][];
            /** @description True for the endless stream. */
            stream: components["schemas"]["DocumentedCall"];
        };
        DocumentedCall: {
            /** @enum {string} */
            page: "authentication" | "signals" | "market" | "analysis" | "webhooks" | "usage";
            /** @enum {string} */
            method: "GET" | "POST";
            path: string;
            summary: string;
            description: string;
            /** @description `public`, `any_key` or the scope a key needs. */
            access: string;
            /** @description Credits a call may cost. */
            costs: number;
            parameters: {
                /** @description `position.sizeUsdt`; `items[].status` inside a list. */
                name: string;
                type: string;
                is_required: boolean;
                description: string;
            }[];
            answer: {
                /** @description `position.sizeUsdt`; `items[].status` inside a list. */
                name: string;
                type: string;
                is_required: boolean;
                description: string;
            }[];
            /** @description HTTP status of the response. */
            status: number;
            /** @description Errors of the call, by status. */
            refusals: {
                status: number;
                code: string;
                title: string;
            }[];
            sample: {
                path: string;
                body: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description Exact response to the sample with a test key; null for the stream. */
            sandbox_answer: string | null;
            examples: {
                curl: string;
                typescript: string;
                python: string;
            };
        };
        DoneResponse: {
            /** @constant */
            done: true;
        };
        Drawing: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "horizontal" | "trend" | "ray" | "rectangle" | "fibonacci" | "measure" | "text" | "long" | "short";
            /** @description 1 for horizontal and text, 2 for the others; long and short: entry, target, stop. */
            anchors: components["schemas"]["DrawingAnchor"][];
            text: string;
            is_locked: boolean;
            is_hidden: boolean;
        };
        DrawingAnchor: {
            /** @description Epoch ms. */
            time: number;
            /** @description Price in quote currency. */
            price: number;
        };
        DrawingsChangeResponse: {
            symbol: string;
            version: number;
            /** @description All drawings, when the stored version was not the one you sent; otherwise null. */
            drawings: components["schemas"]["StoredDrawing"][] | null;
            /** @description Drawings of this change that were changed elsewhere since your version. Yours won. */
            overwritten: string[];
        };
        DrawingsRequestInput: {
            /** @description The version you last read; 0 for none. */
            version: number;
            /**
             * @description Drawings to add or replace, by id.
             * @default []
             */
            put?: components["schemas"]["Drawing"][];
            /**
             * @description Ids; missing ones are ignored.
             * @default []
             */
            remove?: string[];
        };
        DrawingsResponse: {
            symbol: string;
            /** @description Rises with each change; 0: none was ever stored. */
            version: number;
            /** @description At most 300. */
            drawings: components["schemas"]["StoredDrawing"][];
        };
        EmailChangeRequestInput: {
            email: components["schemas"]["EmailInput"];
        };
        EmailInput: string;
        EmailResponse: {
            email: string;
        };
        /** @description A share with its 95 % interval; episodes of one hour are one draw. `share` is null when `of` is 0. */
        EpisodeShare: {
            of: number;
            count: number;
            share: number | null;
            low: number;
            high: number;
        };
        ErrorInfoResponse: {
            error_codes: {
                code: string;
                status: number;
                title: string;
            }[];
            rate_limits: {
                /** @enum {string} */
                plan: "FREE" | "STARTER" | "PRO" | "BUSINESS";
                hourly_limit: number;
                price_credits_month: number;
            }[];
            best_practices: string[];
        };
        EstimateResponse: {
            amount: number;
            /** @description Decimal number as text, exact to its last digit. */
            pay_amount: string;
            pay_currency: string;
            minimum_usd: number;
            /** @description Below the provider’s current minimum. */
            is_below_minimum: boolean;
        };
        /** @description Server-sent events. `ready` opens the stream; after `resync`, fetch everything you show again. `preferences`, `watchlist`, `credits`, `scan`, `positions` and `session` announce changes, `prices` carries the last prices of the requested symbols, at most once a second. `session` with `ended` true is the last event of a session. */
        EventsResponse: string;
        /**
         * @description Where the data comes from.
         * @enum {string}
         */
        ExchangeName: "binance" | "bybit" | "okx";
        ExportResponse: {
            /** @constant */
            format: "sextant-export-1";
            /** Format: date-time */
            exported_at: string;
            /** Format: uuid */
            user_id: string;
            /** @description Every table with rows of a user, empty ones too. */
            tables: {
                [key: string]: {
                    [key: string]: unknown;
                }[];
            };
            /** @description Columns that hold secrets: hashes, tokens, keys. */
            withheld: {
                table: string;
                columns: string[];
            }[];
            /** @description Files; download each by `url`. */
            files: {
                path: string;
                url: string;
            }[];
        };
        /** @enum {string} */
        ExternalStatus: "ok" | "degraded" | "down" | "unknown";
        FinishSignInRequest: {
            challenge: string;
            /** @description Six-digit authenticator code, or a recovery code. */
            code: string;
        };
        FollowResponse: {
            username: string;
            is_followed: boolean;
        };
        /** @description Funding history: stamps (epoch ms, increasing), rates that longs pay, mark prices when known. */
        Funding: {
            time: number[];
            rate: number[];
            mark?: number[];
        };
        FundingDifference: {
            symbol: string;
            /** @description Exchange of the long leg, which pays less. */
            long: components["schemas"]["ExchangeName"];
            short: components["schemas"]["ExchangeName"];
            /** @description Daily funding of both legs at current rates. */
            differencePerDayPct: number;
            legs: {
                long: components["schemas"]["FundingLeg"];
                short: components["schemas"]["FundingLeg"];
            };
            /** @description Taker fees of opening and closing both legs, by default. */
            feesPct: number;
            /** @description Hours until the funding covers the fees. */
            breakEvenHours: number | null;
            /** @description The last 30 settlements, oldest first: what the pair received. */
            settlements: {
                atMs: number;
                /** @description 2 is 2 %. */
                differencePct: number;
            }[];
            /** @description Mean of the settlements, normalised to a day. */
            settledPerDayPct: number | null;
            /** @description 95 % interval of that mean. */
            settledLowPct: number | null;
            settledHighPct: number | null;
            /** @description Standard deviation of the price difference over the last day; null: too few samples. */
            priceRiskPct: number | null;
        };
        FundingDifferencesResponse: {
            /** @description Largest difference a day first, at most 50. */
            rows: components["schemas"]["FundingDifference"][];
            asOfMs: number;
            /** @description Symbols with a fresh rate on at least two exchanges. */
            symbols: number;
        };
        /** @description Error of the announced funding rates; null: none is stored, which is so after 30 days. */
        FundingForecast: {
            /** @description Settlements it paid whose rate was announced half an hour before. */
            count: number;
            /** @description Paid at the settled rates less at the announced ones; positive: it paid more. */
            error: number;
            /** @description Mean of the settled less the announced rate, percent. */
            mean_error_pct: number;
        } | null;
        FundingLeg: {
            /** @description Percent that longs pay at the next funding. */
            ratePct: number;
            intervalHours: number;
            /** @description 2 is 2 %. */
            perDayPct: number;
            nextFundingAtMs: number;
            /** @description Error of the announced rate over the last settlements; null: none was seen yet. */
            forecast: {
                count: number;
                /** @description Mean distance of the rate half an hour before from the rate that was paid. */
                meanAbsPct: number;
                /** @description Mean of paid minus announced: above 0 more was paid. */
                biasPct: number;
            } | null;
        };
        FundingResponse: {
            symbol: string;
            exchange: components["schemas"]["ExchangeName"];
            /**
             * @description Only live data comes from a real exchange.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @description Milliseconds since the exchange last confirmed this data. */
            data_age_ms: number;
            /** @description Current rate of the next funding, longs to shorts; 0.0001 is 0.01 %. */
            funding_rate: number;
            /** Format: date-time */
            next_funding_at: string;
            /** @description Hours between fundings; null: unknown. */
            interval_hours: number | null;
            /** @description Where `interval_hours` comes from. `exchange`: its value for the contract or its default; `stamps`: its last two settlements. */
            interval_source: ("exchange" | "stamps") | null;
            /** @description Settled fundings since `since`, oldest first, with their own stamps. */
            history: {
                /** Format: date-time */
                at: string;
                funding_rate: number;
            }[];
        };
        FuturesSignalBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            /**
             * @description Closed candles of each interval; more are read where votes need them, e.g. two UTC days on 1m.
             * @default 500
             */
            limit?: components["schemas"]["CandleLimit"];
            /**
             * @description Simulated capital, USDT.
             * @default 1000
             */
            balance?: components["schemas"]["Balance"];
            /**
             * @description Loss at the stop: 0.5 %, 1 % or 2 % of the balance, costs included.
             * @default medium
             */
            riskTolerance?: components["schemas"]["RiskTolerance"];
            /** @default 10 */
            leverage?: components["schemas"]["Leverage"];
            /**
             * @description Longer intervals that also vote, each at half the weight of `interval`.
             * @default []
             */
            intervals?: components["schemas"]["IntervalName"][];
            /** @description Instead of your saved tuning. */
            tuning?: components["schemas"]["Tuning"];
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
        };
        GuardState: {
            /** @enum {string} */
            name: "daily_loss" | "stop_streak" | "drawdown";
            is_on: boolean;
            is_tripped: boolean;
            limit: number | null;
            /** @description Now, in the unit of the limit: percent of the balance, or closes in a row. */
            value: number;
            /** @description When the guard releases by itself; null: never, or it is not tripped. */
            until: components["schemas"]["InstantOrNull"];
        };
        GuardsResponse: {
            /** @description Automatic opening is on and no guard blocks it. */
            armed: boolean;
            auto_open_enabled: boolean;
            guards: components["schemas"]["GuardState"][];
            sizing_guards: components["schemas"]["SizingGuardState"][];
            min_auto_conf_pct: number;
            max_concurrent_positions: number;
            open_positions: number;
            leverage: number;
        };
        Hashes: {
            engine: string;
            data: string;
            params: string;
            result: string;
        };
        HealthResponse: {
            /** @enum {string} */
            status: "ok" | "degraded";
            message: string;
            /** Format: date-time */
            timestamp: string;
            /** @description Database round trip, milliseconds, at most a second old. */
            responseTime: number;
            /** @description Seconds since this server process started. */
            uptime: number;
            /** @description The exchanges, as last seen. */
            external_api_status: components["schemas"]["ExternalStatus"];
            /** @description Unhandled errors since this process started; `degraded` for ten minutes after one. */
            unexpected_errors: number;
            /** @description Background jobs of the last day set aside after ending the server twice. */
            jobs_set_aside: number;
            /** @description Acknowledged topics without data; resubscribed, with candles requested meanwhile. */
            silent_streams: number;
            /** @description Open positions without a price for over a minute; their stops and targets wait. */
            unpriced_positions: number;
        };
        HelpArticle: {
            /** Format: uuid */
            id: string;
            /** @description Name in the address: `/help/<slug>`. */
            slug: string;
            title: string;
            /** @description The question that the article answers. */
            question: string;
            category: string;
            tags: string[];
            /** Format: date-time */
            created_at: string;
            /** @description Markdown without HTML. */
            content_md: string;
            sections: {
                anchor: string;
                heading: string;
            }[];
            related: {
                /** @description Name in the address: `/help/<slug>`. */
                slug: string;
                title: string;
            }[];
        };
        HelpArticleCard: {
            /** Format: uuid */
            id: string;
            /** @description Name in the address: `/help/<slug>`. */
            slug: string;
            title: string;
            /** @description The question that the article answers. */
            question: string;
            category: string;
            tags: string[];
            /** Format: date-time */
            created_at: string;
            featured: boolean;
            /** @description Part of the text; `hit` marks matches. Plain text. */
            snippet: {
                text: string;
                is_hit: boolean;
            }[];
        };
        HelpArticlesAnswer: {
            articles: components["schemas"]["HelpArticleCard"][];
            /** @description The query with typos corrected. */
            corrected_to: string | null;
            /** @description Nearest articles when nothing matches. */
            nearest: components["schemas"]["HelpArticleCard"][];
            /** @description The query is not English; see `nearest`. */
            is_other_language: boolean;
        };
        HelpCategoriesAnswer: {
            /** @description In the order of the screen. */
            categories: components["schemas"]["HelpCategory"][];
        };
        HelpCategory: {
            slug: string;
            name: string;
            article_count: number;
        };
        HelpChatAnswer: {
            /** @description The newest 100, oldest first. */
            messages: components["schemas"]["HelpMessage"][];
            /** @description True in a demo account; it ends, with this chat, a day after its last use. */
            is_demo: boolean;
            /** @description Whether an AI model writes the answers; otherwise passages are quoted. */
            has_model: boolean;
            ratings: components["schemas"]["HelpRatings"];
        };
        HelpMessage: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            role: "user" | "assistant";
            text: string;
            /** Format: date-time */
            created_at: string;
            /** @description Null on messages of the user. */
            written_by: ("model" | "quotes" | "nothing_found" | "other_language" | "advice") | null;
            sources: components["schemas"]["HelpSource"][];
            suggested: string[];
            /** @description Your rating of the answer. */
            is_helpful: boolean | null;
        };
        HelpMessagesAnswer: {
            messages: components["schemas"]["HelpMessage"][];
        };
        HelpRatings: {
            count: number;
            count_min: number;
            /** @description Share of all ratings; null below `count_min` of them. */
            helpful_fraction: number | null;
        };
        HelpSource: {
            /** @description Name in the address: `/help/<slug>`. */
            slug: string;
            /** @description Heading in the article; `top` is its start. */
            anchor: string;
            title: string;
            heading: string;
        };
        HistoryResponse: {
            signals: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                created_at: string;
                exchange: components["schemas"]["ExchangeName"];
                /** @enum {string} */
                market: "simulated" | "replay" | "live";
                symbol: string;
                interval: string;
                /** Format: date-time */
                candle_close_at: string;
                /** @enum {string} */
                direction: "LONG" | "SHORT";
                confidence: number;
                confidence_kind: components["schemas"]["ConfidenceKind"];
                /** @description Shown as score. */
                raw_confidence: number;
                price: number;
                stop_loss: number;
                take_profit: number;
                horizon_min: number;
                risk_label: string;
                /** @description Whether a scan of yours found it. */
                mine: boolean;
                hashes: components["schemas"]["SignalHashes"];
                /** @description null: still open, not lost. */
                outcome: {
                    /**
                     * @description `DELISTED`: the exchange ended the contract; settled at the last price seen.
                     * @enum {string}
                     */
                    outcome: "TP" | "SL" | "TIME" | "DELISTED";
                    exit_price: number;
                    /** Format: date-time */
                    exit_at: string;
                    net_fraction: number;
                    is_ambiguous: boolean;
                    /** @description Length of the candles it was judged on. */
                    basis: string;
                } | null;
            }[];
        };
        /** @description A closed candle that the exchange sent with other values later. Both versions are stored. */
        HistoryRevision: {
            interval: components["schemas"]["IntervalName"];
            price: components["schemas"]["StoredPrice"];
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            noticed_at: string;
            /** @description As first sent; null when that chunk was set aside. */
            first: components["schemas"]["CandleVersion"] | null;
            revised: components["schemas"]["CandleVersion"];
        };
        /** @description How much of the result luck explains; docs/honesty.md defines each figure. */
        HonestyVerdict: {
            /** @enum {string} */
            level: "luck" | "unclear" | "holds up" | "not enough data";
            /** @description The verdict in a sentence. */
            words: string;
            /** @description Sets your account tried on these candles, the family and earlier calls included. Repeats count once. */
            trialCount: number;
            /** @description Earlier results your account saw on the scored candles. */
            earlierLooks: number;
            /** @description Other markets your account searched over the same dates, and the sets tried there. */
            family: {
                markets: number;
                trials: number;
            };
            figures: {
                id: string;
                name: string;
                /** @description null with a reason. */
                value: number | null;
                reason?: string;
                /** @enum {string} */
                says: "luck" | "skill" | "neither";
                words: string;
            }[];
        };
        IndicatorsBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            /**
             * @description Closed candles to compute from.
             * @default 500
             */
            limit?: number;
            /**
             * @description sma20, ema50, rsi14, macd, bollinger when absent; any id of the indicator list, or an id with parameters: {"id": "sma", "period": 20}. Several of one id are named by their parameters: sma20 and sma50; `as` gives another name.
             * @default [
             *       "sma20",
             *       "ema50",
             *       "rsi14",
             *       "macd",
             *       "bollinger"
             *     ]
             * @example [
             *       "sma20",
             *       "ema50",
             *       "rsi14",
             *       "macd",
             *       "bollinger"
             *     ]
             * @example [
             *       {
             *         "id": "sma",
             *         "period": 20
             *       },
             *       {
             *         "id": "sma",
             *         "period": 50
             *       }
             *     ]
             */
            indicators?: (string | ({
                id: string;
                as?: string;
            } & {
                [key: string]: number;
            }))[];
            /**
             * @description true: also return one value per candle.
             * @default false
             */
            series?: boolean;
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
        };
        IndicatorsResponse: {
            symbol: string;
            interval: components["schemas"]["IntervalName"];
            exchange: components["schemas"]["ExchangeName"];
            /** @enum {string} */
            market: "simulated" | "replay" | "live";
            data_age_ms: number;
            candle_close_at: components["schemas"]["InstantOrNull"];
            /** @description Closed candles used. */
            candle_count: number;
            /**
             * @description Value at the last closed candle; null: too few candles.
             * @example {
             *       "sma20": 96120.4,
             *       "ema50": 95710.9,
             *       "rsi14": 58.3,
             *       "macd": {
             *         "macd": 210.4,
             *         "signal": 180.2,
             *         "histogram": 30.2
             *       },
             *       "bollinger": {
             *         "upper": 97310.1,
             *         "middle": 96120.4,
             *         "lower": 94930.7
             *       }
             *     }
             */
            indicators: {
                [key: string]: (number | null) | {
                    [key: string]: number | null;
                };
            };
            /** @description With `series`: open of each candle, epoch ms. */
            time?: number[];
            /** @description With `series`: every output of every indicator, null during warm-up. */
            series?: {
                [key: string]: {
                    [key: string]: (number | null)[];
                };
            };
        };
        InstantOrNull: string | null;
        /**
         * @description Length of a candle.
         * @example 15m
         * @enum {string}
         */
        IntervalName: "1m" | "5m" | "15m" | "1h" | "4h" | "1d";
        Invoice: {
            payment_id: string | null;
            /** Format: uuid */
            order_id: string;
            pay_address: string | null;
            pay_amount: string | null;
            pay_currency: string | null;
            status: components["schemas"]["PaymentStatus"];
            /** Format: date-time */
            expiresAt: string;
            /** @description True: an invoice was already open; this is it. */
            is_existing: boolean;
            payment: components["schemas"]["Payment"];
        };
        JournalDay: {
            /** Format: date */
            day: string;
            /** @description Positions closed on it. */
            trades: number;
            wins: number;
            /** @description USDT. */
            net_pnl: number;
            /** @description Sum; null when no position has one. */
            r_multiple: components["schemas"]["RiskMultiple"];
        };
        JournalEntry: {
            /** Format: uuid */
            position_id: string;
            note: string;
            tags: string[];
            /** @description Rises with each change; 0: nothing was written. */
            revision: number;
            updated_at: components["schemas"]["InstantOrNull"];
            picture: components["schemas"]["JournalPicture"] | null;
        };
        JournalPicture: {
            width: number;
            height: number;
            /** Format: date-time */
            created_at: string;
        };
        JournalRequestInput: {
            /** @description Plain text with line breaks. */
            note: string;
            /** @description Stored in lower case, each once. */
            tags: string[];
            /** @description The revision you read. Another one now: `conflict`, and nothing changes. */
            revision: number;
        };
        JournalResponse: {
            entry: components["schemas"]["JournalEntry"];
        };
        JournalStatisticsResponse: {
            zone: string;
            /**
             * Format: date
             * @description In the zone.
             */
            today: string;
            /** @description Days with a close among the last 371, oldest first. */
            days: components["schemas"]["JournalDay"][];
            /** @description A position counts for each of its tags; `name` is empty for those without. At most 50. */
            by_tag: components["schemas"]["AnalyticsGroup"][];
            /** @description By the hour of the opening in the zone, `00` to `23`. */
            by_hour: components["schemas"]["AnalyticsGroup"][];
            /** @description At most 50. */
            by_symbol: components["schemas"]["AnalyticsGroup"][];
            /** @description `strategy`: a saved strategy; `automatic`: opened by your rules; `signal`: by hand on a signal or a chart analysis; `order`: other orders. */
            by_setup: components["schemas"]["AnalyticsGroup"][];
        };
        /**
         * @description `test`: free, served by the sandbox, counted separately.
         * @enum {string}
         */
        KeyMode: "live" | "test";
        KeyRevokedResponse: {
            /** @constant */
            done: true;
        };
        KlinesResponse: {
            symbol: string;
            interval: components["schemas"]["IntervalName"];
            exchange: components["schemas"]["ExchangeName"];
            /**
             * @description Only live data comes from a real exchange.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @description Milliseconds since the exchange last confirmed this data. */
            data_age_ms: number;
            /** @description Closed candles as columns, oldest first; time is the open in epoch ms, volume in coins. */
            candles: {
                time: number[];
                open: number[];
                high: number[];
                low: number[];
                close: number[];
                volume: number[];
            };
            /** @description Close of the last candle; null without candles. */
            candle_close_at: components["schemas"]["InstantOrNull"];
            /** @description Candles the exchange did not send; never filled in. */
            gaps: {
                /** Format: date-time */
                from: string;
                /** Format: date-time */
                to: string;
                missing: number;
            }[];
        };
        LabTrade: {
            entry_price: number;
            /** Format: date-time */
            entered_at: string;
            quantity: number;
            exit_price: number;
            /** Format: date-time */
            exited_at: string;
            /** @description null: still open when the live position closed, valued at the close of that minute. */
            exit_reason: ("LIQ" | "SL" | "TP" | "TIME" | "SIGNAL") | null;
        };
        LastArbitrageResponse: {
            scanId: string | null;
            items: components["schemas"]["ArbitrageItem"][];
            /** @description The newest scan with items. */
            scan: components["schemas"]["ArbitrageScan"] | null;
            /** @description Time of a later scan that found nothing; null: none. */
            emptyAt: components["schemas"]["InstantOrNull"];
            /** @description The running scan. */
            active: components["schemas"]["ArbitrageScan"] | null;
        };
        LastBacktestResponse: {
            /** @description The newest run on the server; null before the first. */
            backtest: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                created_at: string;
                symbol: string;
                interval: string;
                params: components["schemas"]["StrategyParams"];
                result: {
                    best: {
                        [key: string]: number | string | boolean | null;
                    };
                };
                hashes: components["schemas"]["Hashes"];
            } | null;
        };
        LastRunResponse: {
            run: components["schemas"]["AutoRun"] | null;
        };
        LastScanResponse: {
            /** @description The newest that is done. */
            scan: components["schemas"]["Scan"] | null;
            /** @description One that is waiting or running. */
            active: components["schemas"]["Scan"] | null;
        };
        LastVisionResponse: {
            analysis: components["schemas"]["VisionAnalysis"] | null;
            /** @description An analysis is running. */
            is_running: boolean;
            /** @description Whether positions open automatically. */
            auto_open: boolean;
            /**
             * @description `smart`: an AI model also reads the picture; `rules`: no model, or unreachable lately.
             * @enum {string}
             */
            detection: "smart" | "rules";
        };
        LatestPaymentResponse: {
            payment: components["schemas"]["Payment"] | null;
        };
        LayoutChangeRequest: {
            name?: string;
            value?: components["schemas"]["LayoutValue"];
        };
        LayoutChart: {
            /** @description null: the selected symbol. */
            symbol: components["schemas"]["SymbolName"] | null;
            interval: components["schemas"]["IntervalName"];
            /** @enum {string} */
            scale: "linear" | "log" | "percent";
            indicators: string[];
        };
        LayoutRequest: {
            name: string;
            value: components["schemas"]["LayoutValue"];
        };
        LayoutValue: {
            charts: components["schemas"]["LayoutChart"][];
            /**
             * @description Height of the panes below the candles.
             * @enum {string}
             */
            pane_size: "small" | "medium" | "large";
        };
        LayoutsResponse: {
            /** @description By name; at most 30. */
            layouts: {
                /** Format: uuid */
                id: string;
                name: string;
                value: components["schemas"]["LayoutValue"];
            }[];
        };
        /**
         * @description `gone`: the spread was no longer there when the order books were read.
         * @enum {string}
         */
        LeftOutReason: "not_listed" | "halted" | "doubtful_contract" | "no_quote" | "old_quote" | "stamps_differ" | "one_exchange" | "gone";
        Leverage: number;
        LeverageTier: {
            notionalFloor: number;
            maintenanceMarginFraction: number;
            /** @default 0 */
            maintenanceAmount: number;
            /** @description 0, in the last row only: a position must stay below its `notionalFloor`. */
            leverageMax: number;
        };
        LeverageTierInput: {
            notionalFloor: number;
            maintenanceMarginFraction: number;
            /** @default 0 */
            maintenanceAmount?: number;
            /** @description 0, in the last row only: a position must stay below its `notionalFloor`. */
            leverageMax: number;
        };
        /** @description pnl at the last price; net_pnl as if a market order closed it now: half the spread where it is known, slippage, fees and funding. null: no fresh price. */
        Live: {
            /** @description Price in quote currency. */
            price: number;
            /** Format: date-time */
            at: string;
            pnl: number;
            roi_pct: number;
            net_pnl: number;
            return_on_margin_pct: number;
        } | null;
        LivePosition: {
            /** Format: uuid */
            id: string;
            symbol: string;
            side: components["schemas"]["Side"];
            interval: components["schemas"]["IntervalName"];
            exchange: components["schemas"]["ExchangeName"];
            /**
             * @description Market of the position. While the service runs on another market the position is not watched.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @enum {string} */
            source: "scan" | "vision" | "manual";
            scan_id: string | null;
            signal_id: string | null;
            /** @description Average of its entries. */
            entry_price: number;
            /** @description Still open; of a closed position all that was entered. */
            qty: number;
            /** @description Value of all its entries, at their prices. */
            entry_value: number;
            /** @description Gross result of its partial closes while it is open; `pnl` includes it. */
            realised_pnl: number;
            leverage: number;
            /** @description entry_price x qty. */
            notional: number;
            /** @description Isolated: notional / leverage. */
            margin: number;
            /** @description Current stop; trailing and you move it. */
            stop_loss: number;
            /** @description Price in quote currency. */
            initial_stop_loss: number;
            /** @description Current target, the next one of several; you may move it. */
            take_profit: number;
            /** @description Targets still ahead, nearest first; null: `take_profit` closes all of it. */
            take_profits: components["schemas"]["TargetShares"] | null;
            /** @description null when nothing is borrowed. */
            liquidation_approx: number | null;
            confidence: number;
            /** @description Share of base x leverage that was opened; 1: all of it. */
            risk_multiplier: number;
            /** @description Taker fee of its entry and exit: 0.0005 is 0.05 % of the notional. */
            taker_fee_fraction: number;
            /** @description Price step of its exchange, USDT. */
            tick_size: number;
            /** @description Net loss if the first stop is hit, fees and slippage included, as shown at the opening. */
            loss_at_stop: number;
            /** @description Net loss if the current stop is hit: fees, slippage and funding so far included. Negative: a gain. null when closed. */
            loss_at_current_stop: number | null;
            /** Format: date-time */
            opened_at: string;
            /** @description Since when it may close by itself; null before. */
            armed_at: components["schemas"]["InstantOrNull"];
            trailing_enabled: boolean;
            /** @description You changed trailing after the opening; it replaces trailing and break-even of its strategy. */
            trailing_by_owner: boolean;
            trail_mode: ("percent" | "atr") | null;
            trail_callback_pct: number | null;
            trail_step_pct: number | null;
            trail_atr_mult: number | null;
            trail_atr_period: number | null;
            /** @description Move in favour after which the stop trails, percent of the entry price; null or 0: at once. */
            trail_activation_pct: number | null;
            /** @description The saved strategy whose signal it was opened on, as it was then; null: Live rules, or levels of its own. */
            strategy: {
                /** @description `Live rules` is built in. */
                name: string;
                /** @description SHA-256 of the canonical JSON of a saved strategy. */
                version: string;
                value: components["schemas"]["StoredStrategy"];
            } | null;
            /** @description The position closes at the first price from this time on; null: no such time. */
            exit_due_at: components["schemas"]["InstantOrNull"];
            exit_due_reason: ("TIME" | "SIGNAL") | null;
            /** @description Best price since the entry, or since trailing was changed, of whole one-minute candles. */
            trail_peak: number;
            /** @description null: it is open. */
            closed_at: components["schemas"]["InstantOrNull"];
            /** @description Average of its exits. */
            close_price: number | null;
            /** @description Reason of the last exit. */
            close_reason: components["schemas"]["CloseReason"] | null;
            /** @description Gross: all exits less all entries, in the direction of its side. null while open. */
            pnl: number | null;
            roi_pct: number | null;
            /** @description Charged so far: at the entry, and at the exit when closed. */
            fees: number;
            /** @description Paid so far; negative was received. */
            funding: number;
            /** @description pnl - fees - funding. */
            net_pnl: number | null;
            return_on_margin_pct: number | null;
            /** @description net_pnl / net loss at the first stop of all that was entered. null while open, or without a risk. */
            r_multiple: components["schemas"]["RiskMultiple"];
            live: components["schemas"]["Live"];
        };
        LuckBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
            /** @default 1h */
            interval?: components["schemas"]["IntervalName"];
            /** @default 800 */
            limit?: number;
            /**
             * @description Last candles, which the search does not see.
             * @default 500
             */
            scored?: number;
            /** @description Sets that you want to try. */
            trials: number;
        };
        /** @description luck: what the best of as many sets without skill usually shows. detectable: the smallest true ratio that passes in 80 % of cases. */
        LuckResponse: {
            /** @description Candles that the search may use, warm-up included. */
            candles: number;
            /** @description `trials` and `earlierTrials`. */
            trialCount: number;
            /** @description Sets your account tried on these candles, its family included. */
            earlierTrials: number;
            /** @description Sharpe ratio of one candle. */
            luckSharpe: number;
            /** @description The same a year; null below 30 days of candles. */
            luckAnnualSharpe: number | null;
            /** @description Sharpe ratio of one candle. */
            detectableSharpe: number;
            /** @description The same a year; null below 30 days of candles. */
            detectableAnnualSharpe: number | null;
            words: string;
        };
        /** @description The same with and without an account. */
        MailRequestedResponse: {
            /** @constant */
            requested: true;
        };
        MarkPrices: {
            open: number[];
            high: number[];
            low: number[];
        };
        /** @description 95 %, Student; signals that are open at the same time are one draw. null: too few draws. */
        MeanInterval: {
            low: number;
            high: number;
        } | null;
        MeasuredResponse: {
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            market: "simulated" | "replay" | "live";
            symbols: {
                /** @description Perpetuals that are trading. */
                count: number;
                /** @enum {string} */
                exchange: "binance" | "bybit" | "okx";
                /**
                 * Format: date-time
                 * @description When the exchange last confirmed the list.
                 */
                at: string;
            } | null;
            /** @description From request to end of response, on the server. */
            latency: {
                windowMinutes: number;
                /** @description Market data requests with status 200 in the window, on this node. */
                count: number;
                /** @description Minimum number for a figure. */
                countMin: number;
                p50Ms: number | null;
                p95Ms: number | null;
            };
            /** @description From the click to the loaded product, in browsers. */
            pageLoads: {
                windowMinutes: number;
                /** @description Page loads reported with analytics on, on this node: one per account and hour, at most five per network. */
                count: number;
                /** @description Minimum number for a figure. */
                countMin: number;
                p50Ms: number | null;
                p95Ms: number | null;
            };
            /** @description Share of rated assistant responses marked helpful. */
            helpRatings: {
                count: number;
                /** @description Minimum number for a share. */
                countMin: number;
                helpfulFraction: number | null;
            };
            /** @description From self-checks each minute, over the longest fully measured window of 30 days, 7 days or 24 hours; null on the first day. */
            uptime: {
                fraction: number;
                upMinutes: number;
                /** @description Counted minutes since `from`: checked ones, and gaps of two minutes or more, which count as down. */
                minutes: number;
                /** Format: date-time */
                from: string;
            } | null;
        };
        MethodsResponse: {
            methods: {
                method: components["schemas"]["PaymentMethod"];
                /** @example USDT */
                name: string;
                /** @example TRON (TRC-20) */
                network: string | null;
                pay_currency: string | null;
                /** @enum {string} */
                provider: "nowpayments" | "moonpay";
                /** @description Whether this method is available. */
                is_available: boolean;
                /** @description A sandbox or practice provider: no real money moves. */
                is_sandbox: boolean;
                /** @description Minimum payment: the higher of our own and the provider’s. */
                minimum_usd: number;
                maximum_usd: number;
                default_usd: number;
                /** @description Invoice lifetime unless the provider sets one; null for cards. */
                expires_in_s: number | null;
                last_used_at: components["schemas"]["InstantOrNull"];
            }[];
        };
        MinutesBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            /**
             * @description Interval of the candles to split into minutes.
             * @enum {string}
             */
            interval: "5m" | "15m" | "1h" | "4h" | "1d";
            /** @description Open times of candles, epoch ms; together at most 7200 minutes. */
            opens: number[];
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
        };
        MinutesResponse: {
            symbol: string;
            exchange: components["schemas"]["ExchangeName"];
            /**
             * @description Only live data comes from a real exchange.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @description Milliseconds since the exchange last confirmed this data. */
            data_age_ms: number;
            /** @description Closed minutes of those candles, oldest first; gaps at the exchange stay gaps. */
            candles: {
                time: number[];
                open: number[];
                high: number[];
                low: number[];
                close: number[];
                volume: number[];
            };
        };
        NewPassword: string;
        /** @description Keywords of the first 6 stories, without an AI model. */
        NewsAnalysis: {
            count: number;
            bullish: number;
            bearish: number;
            neutral: number;
            high_impact: number;
            /**
             * @description high above 3 high-impact stories, medium 1 to 3, low 0.
             * @enum {string}
             */
            impact: "high" | "medium" | "low";
            keywords: {
                phrase: string;
                count: number;
                /** @enum {string} */
                direction: "bullish" | "bearish" | "neutral";
            }[];
            symbols: {
                symbol: string;
                count: number;
                /** @enum {string} */
                direction: "bullish" | "bearish" | "neutral";
            }[];
            keyword_version: number;
        };
        NewsFeedState: {
            name: string;
            is_simulated: boolean;
            /**
             * @description `waiting`: not read yet.
             * @enum {string}
             */
            state: "ok" | "down" | "waiting";
            message: string | null;
            /** @description Why items use the time first seen; null: dates are read. */
            date_note: string | null;
            last_read_at: string | null;
        };
        NewsMarketResponse: {
            /** @description Symbols with the most stories of the last 24 hours. */
            rows: {
                symbol: string;
                story_count: number;
                bullish: number;
                bearish: number;
                last: number | null;
                /** @description Fraction over 24 closed hours; null without candles. */
                change_24h: number | null;
            }[];
        };
        NewsMarksResponse: {
            /** @description At most 200, newest first; empty when your settings hide them. */
            marks: {
                /** Format: uuid */
                id: string;
                title: string;
                source: string;
                /** Format: date-time */
                first_seen_at: string;
                /** @enum {string} */
                sentiment: "bullish" | "bearish" | "neutral";
                is_simulated: boolean;
            }[];
        };
        NewsReaction: {
            symbol: string;
            /** @description 15, 60 or 240 minutes after the story was first seen. */
            horizon_minutes: number;
            /** @description Fraction: 0.01 is 1 %. */
            return: number;
            /** @description Standard deviations from the usual move at this hour of the day. */
            z: number;
            /** @description Usual moves it is compared with. */
            sample_count: number;
            /** @description Share of usual moves at least this large. */
            p: number;
            /** @description Volume over its usual volume at this hour. */
            volume_ratio: number;
        };
        NewsReadBody: {
            ids: string[];
        } | {
            /** @constant */
            all: true;
        };
        NewsReadResponse: {
            /** @description Stories newly marked as read. */
            marked: number;
        };
        NewsRecordRow: {
            name: string;
            count: number;
            hit_count: number;
            /** @description Share of stories whose price moved in their direction after 1 hour; null below 30. */
            hit_share: number | null;
            mean_z: number | null;
            /** @description About 0.05 when the stories have no effect. */
            significant_share: number | null;
            is_below_min: boolean;
            /** @description Weight that follows from it, 0 to 1. */
            weight: number;
        };
        NewsRecordsResponse: {
            min_count: number;
            /** @description Checked stories needed to trust the dates of a source. */
            min_checks: number;
            /** @description Days (UTC) that a replayed record must cover to weigh. */
            min_days: number;
            horizon_minutes: number;
            sources: components["schemas"]["NewsSourceRow"][];
            /** @description Live stories only. */
            keywords: components["schemas"]["NewsRecordRow"][];
        };
        NewsResponse: {
            stories: components["schemas"]["NewsStory"][];
            /** @description Unread stories among the latest, at most 250. */
            unread_count: number;
            /** @description Names of the feeds. */
            sources: string[];
            feeds: components["schemas"]["NewsFeedState"][];
            social: {
                is_connected: boolean;
                name: string | null;
                is_simulated: boolean;
                /** @description Why the last read failed; null: it succeeded. */
                message: string | null;
            };
            analysis: components["schemas"]["NewsAnalysis"];
        };
        NewsSay: {
            /** @description null: no vote; the news weight is left out. */
            vote: ("LONG" | "SHORT") | null;
            /** @description Sum of the shares; a vote from 0.1 on, either way. */
            strength: number;
            /** @description Stories with a direction, first seen in the six hours before the close. */
            story_count: number;
            /** @description The latest ten with a source that has a track record. */
            stories: {
                /** Format: uuid */
                id: string;
                title: string;
                source: string;
                /** Format: date-time */
                pub_date: string;
                /** Format: date-time */
                first_seen_at: string;
                /** @enum {string} */
                sentiment: "bullish" | "bearish";
                is_high_impact: boolean;
                /** @description Weight of its source from its track record at the close; 0 to 1. */
                weight: number;
                share: number;
            }[];
        };
        NewsSentimentResponse: {
            hours: number;
            articles: {
                count: number;
                bullish: number;
                bearish: number;
                neutral: number;
            };
            /** @description null: no social source. */
            posts: {
                count: number;
                bullish: number;
                bearish: number;
                neutral: number;
            } | null;
            by_hour: {
                /** Format: date-time */
                at: string;
                bullish: number;
                bearish: number;
            }[];
        };
        NewsSettings: {
            hidden_sources: string[];
            /** @description Only stories about these; empty: all. */
            symbols: components["schemas"]["SymbolName"][];
            is_high_impact_only: boolean;
            shows_posts: boolean;
            shows_chart_marks: boolean;
        };
        NewsSourceRow: {
            name: string;
            count: number;
            hit_count: number;
            /** @description Share of stories whose price moved in their direction after 1 hour; null below 30. */
            hit_share: number | null;
            mean_z: number | null;
            /** @description About 0.05 when the stories have no effect. */
            significant_share: number | null;
            is_below_min: boolean;
            /** @description Weight of its stories in the news vote, 0 to 1. */
            weight: number;
            /**
             * @description The record that gives the weight: `live` from `min_count` live stories on, before that `replayed`.
             * @enum {string}
             */
            weight_origin: "live" | "replayed";
            /** @description Stories published before the first sight, as of their dates, one per symbol and hour; null: none. Never mixed with live. */
            replayed: {
                count: number;
                hit_count: number;
                /** @description Share of stories whose price moved in their direction after 1 hour; null below 30. */
                hit_share: number | null;
                mean_z: number | null;
                /** @description About 0.05 when the stories have no effect. */
                significant_share: number | null;
                is_below_min: boolean;
                /** @description Weight that follows from it, 0 to 1. */
                weight: number;
                /** @description Days (UTC) of its stories; below `min_days` its weight is 0. */
                day_count: number;
                /** @description Least delay after the dates that it was measured with. */
                delay_s_min: number;
                delay_s_max: number;
            } | null;
            times: {
                /**
                 * @description Whether its dates can be trusted. `same_machine`: simulated, until enough stories are checked; `unchecked`: too few checked; `untrusted`: too many first seen late.
                 * @enum {string}
                 */
                basis: "same_machine" | "checked" | "unchecked" | "untrusted";
                /** @description Latest stories added while it was read every few minutes. */
                checked_count: number;
                /** @description First seen within 10 minutes of their date. */
                in_time_count: number;
                /** @description Added to the date of a replayed story; null: its archive is not replayed. */
                delay_s: number | null;
            };
        };
        NewsStory: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            title: string;
            /** Format: uri */
            link: string;
            /**
             * Format: date-time
             * @description Date of the feed; never after `first_seen_at`.
             */
            pub_date: string;
            /**
             * Format: date-time
             * @description Date of the newest report; stories are sorted by it, newest first.
             */
            latest_at: string;
            /**
             * Format: date-time
             * @description When this installation first saw it; not used before then.
             */
            first_seen_at: string;
            /** @description First seen more than 30 minutes after `pub_date`: `reactions` are measured from the first sight. */
            is_late: boolean;
            source: string;
            author: string | null;
            description: string;
            content: string;
            symbols: string[];
            keywords: string[];
            /** @enum {string} */
            sentiment: "bullish" | "bearish" | "neutral";
            is_high_impact: boolean;
            is_simulated: boolean;
            /** @description Reports of the story, oldest first. */
            sources: {
                source: string;
                title: string;
                /** Format: uri */
                link: string;
                /** Format: date-time */
                first_seen_at: string;
            }[];
            reactions: components["schemas"]["NewsReaction"][];
        };
        NewsTrendingResponse: {
            hours: number;
            topics: {
                /** @enum {string} */
                kind: "symbol" | "keyword";
                name: string;
                count: number;
                /** @description In the 24 hours before. */
                count_before: number;
            }[];
        };
        /** @enum {string} */
        NotComparableReason: "changed_by_owner" | "filled_in_parts" | "too_long" | "no_candles" | "not_opened" | "not_computable";
        NoticeResponse: {
            /** @constant */
            ok: true;
        };
        NotificationsResponse: {
            /** @description The linked chat; null: none. */
            telegram: {
                name: string;
                is_on: boolean;
                /** @description Events it receives. */
                kinds: ("scan_finished" | "credits_low" | "position_opened" | "position_closed" | "arbitrage_spread")[];
                /** @description Why the service switched it off; null: it did not. */
                off_reason: string | null;
                /** @description Start of the current failures. */
                failing_since: components["schemas"]["InstantOrNull"];
            } | null;
            /** @description True in a demo account, which has no targets. */
            is_demo: boolean;
            /** @description Whether this installation has a Telegram bot. */
            telegram_available: boolean;
            webhook: {
                url: string;
                is_on: boolean;
                /** @description Events it receives. */
                kinds: ("scan_finished" | "credits_low" | "position_opened" | "position_closed" | "arbitrage_spread")[];
                /** @description Why the service switched it off; null: it did not. */
                off_reason: string | null;
                /** @description Start of the current failures. */
                failing_since: components["schemas"]["InstantOrNull"];
            } | null;
            /** @description Local test receiver that stores messages; demo only. */
            practice_receiver: string | null;
        };
        OneArbitrageScanResponse: {
            /** Format: uuid */
            scanId: string;
            /** @description None while it runs, when nothing was found, or once they are deleted: a day later with a newer scan. */
            items: components["schemas"]["ArbitrageItem"][];
            scan: components["schemas"]["ArbitrageScan"];
        };
        OpenBody: {
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            /**
             * Format: uuid
             * @description A scan of yours: side and levels are those of its result for `symbol` and `interval`.
             */
            scan_id?: string;
            side?: components["schemas"]["Side"];
            /** @description Your `stop_loss_pct` from the entry when absent. */
            stop_loss?: number;
            /** @description Your `take_profit_pct` from the entry when absent. */
            take_profit?: number;
            /** @description The price you saw. The server opens at its own, and rejects one more than 5 % away. */
            entry_price?: number;
            /** @description Sized by your settings when absent. */
            qty?: number;
            /** @description Your default when absent; capped by the symbol. */
            leverage?: components["schemas"]["Leverage"];
            /** @description Accepted and ignored: the server computes it. */
            liquidation_approx?: number | null;
            confidence?: number;
        };
        OpenedResponse: {
            /** Format: uuid */
            id: string;
            /** @example Auto position opened: LONG BTCUSDT (Risk-adjusted: 50%) */
            message: string;
            position: components["schemas"]["Position"];
            warnings: components["schemas"]["Warning"][];
        };
        OptimizeOptions: {
            /** @default 50 */
            samples: number;
            /** @default pnl */
            target: components["schemas"]["OptimizeTarget"];
            /**
             * @description The same seed draws the same sets, everywhere.
             * @default 1
             */
            seed: number;
            /**
             * @description Search on the candles before the scored window, or on the scored window itself.
             * @default earlier
             * @enum {string}
             */
            trainOn: "earlier" | "scored";
            /**
             * @description Search around the best with as many trials again.
             * @default true
             */
            refine: boolean;
            /**
             * @description Half of the trials of refine are generations of CMA-ES, which learn from each other.
             * @default false
             */
            guide: boolean;
            space: components["schemas"]["Space"];
            rulesSpace?: components["schemas"]["RulesSpace"];
            walkForward?: components["schemas"]["WalkForward"];
        };
        OptimizeOptionsInput: {
            /** @default 50 */
            samples?: number;
            /** @default pnl */
            target?: components["schemas"]["OptimizeTarget"];
            /**
             * @description The same seed draws the same sets, everywhere.
             * @default 1
             */
            seed?: number;
            /**
             * @description Search on the candles before the scored window, or on the scored window itself.
             * @default earlier
             * @enum {string}
             */
            trainOn?: "earlier" | "scored";
            /**
             * @description Search around the best with as many trials again.
             * @default true
             */
            refine?: boolean;
            /**
             * @description Half of the trials of refine are generations of CMA-ES, which learn from each other.
             * @default false
             */
            guide?: boolean;
            /** @default {} */
            space?: components["schemas"]["Space"];
            rulesSpace?: components["schemas"]["RulesSpace"];
            walkForward?: components["schemas"]["WalkForwardInput"];
        };
        /** @description Optimisation settings as last used. */
        OptimizeSettings: {
            /** @default 50 */
            samples: number;
            /** @default pnl */
            target: components["schemas"]["OptimizeTarget"];
            /** @default 1 */
            seed: number;
            /**
             * @default earlier
             * @enum {string}
             */
            trainOn: "earlier" | "scored";
            /** @default true */
            refine: boolean;
            /**
             * @default anchored
             * @enum {string}
             */
            walkForward: "off" | "anchored" | "rolling";
        };
        /** @description Optimisation settings as last used. */
        OptimizeSettingsInput: {
            /** @default 50 */
            samples?: number;
            /** @default pnl */
            target?: components["schemas"]["OptimizeTarget"];
            /** @default 1 */
            seed?: number;
            /**
             * @default earlier
             * @enum {string}
             */
            trainOn?: "earlier" | "scored";
            /** @default true */
            refine?: boolean;
            /**
             * @default anchored
             * @enum {string}
             */
            walkForward?: "off" | "anchored" | "rolling";
        };
        /** @enum {string} */
        OptimizeTarget: "pnl" | "winRate" | "sharpe" | "sortino" | "calmar" | "profitFactor" | "expectancy";
        OptimizedResponse: {
            best: components["schemas"]["BestRun"];
            target: components["schemas"]["OptimizeTarget"];
            seed: number;
            /** @description Loaded candles [start, end). */
            train: {
                start: number;
                end: number;
            };
            /** @description Sets tried: samples and refinements, of own rules at most the sets of their ranges. */
            trialCount: number;
            /** @description The best samples, best first. */
            leaders: {
                index: number;
                params: components["schemas"]["StrategyParams"];
                /** @description The set of a rules search; `params` is then ignored. */
                strategy?: components["schemas"]["StoredStrategy"];
                /** @description Value of each parameter of own rules with a range, by name. */
                values?: {
                    [key: string]: number;
                };
                value: number;
            }[];
            walkForward?: components["schemas"]["WalkForwardResult"];
            /** @description For a symbol, or one in `minutesOf`: minutes settle exits whose candle holds stop and target of some set. Elsewhere `costs.sameBar` decides. */
            minutes?: {
                /** @description Candles resolved by minutes in every set. */
                candles: number;
                /** @description Ambiguous candles without complete minutes at the exchange. */
                absent: number;
                /** @description Ambiguous candles beyond the 60,000 minutes of a search, or not loaded. */
                beyond: number;
                /** @description Why minutes could not be loaded; with `beyond` 0, those of the walk-forward alone. */
                problem: string | null;
                /** @description For a search job: open times of candles resolved by minutes in every set, epoch ms. */
                opens?: number[];
            };
            /** @description SHA-256 over result, trades and value of every set; the same in any browser. */
            trialsHash: string;
            /**
             * Format: uuid
             * @description Id of the stored run.
             */
            id: string;
            symbol: string | null;
            /** @description Where the candles came from; null for your own. */
            exchange: components["schemas"]["ExchangeName"] | null;
            interval: components["schemas"]["IntervalName"];
            /** Format: date-time */
            first_candle_at: string;
            /** Format: date-time */
            last_candle_at: string;
            /** @description Missing candles in the loaded window; never filled in. */
            gapCount: number;
            /** @description Last rows of your own `candles` left out because they have not closed. Candles that all end in the future, such as generated ones, run as they are, and this says so. null: all have closed. */
            leftOut: string | null;
            /** @description Applied order rules; null: none. Smaller orders are in `droppedSignals.tooSmall`. */
            contract: components["schemas"]["AppliedContract"] | null;
            /** @description Why mark prices or minute candles are missing this time; run again. null: all available ones were used; a run takes 60,000 minutes at most. */
            fineDataProblem: string | null;
            /** @description With `honesty: true`. */
            honesty?: components["schemas"]["HonestyVerdict"];
        };
        Order: {
            /** Format: uuid */
            id: string;
            symbol: string;
            exchange: components["schemas"]["ExchangeName"];
            /** @enum {string} */
            market: "simulated" | "replay" | "live";
            interval: components["schemas"]["IntervalName"];
            side: components["schemas"]["Side"];
            type: components["schemas"]["OrderType"];
            status: components["schemas"]["OrderStatus"];
            reduce_only: boolean;
            /** @description Base units, on the step of the exchange. */
            quantity: number;
            /** @description On its tick; null for `market`. */
            price: number | null;
            leverage: number;
            /** @description null: the order closes or adds. */
            stop_loss: number | null;
            take_profits: components["schemas"]["TargetShares"] | null;
            /** @description null: as the settings have it when it fills. */
            trailing: components["schemas"]["TrailingChange"] | null;
            expires_at: components["schemas"]["InstantOrNull"];
            /** @description Margin and entry fee set aside while it rests; 0 afterwards. */
            reserved: number;
            /** Format: date-time */
            created_at: string;
            /** @description Counts up with each change. */
            revision: number;
            /** @description When it was filled, cancelled or expired. */
            ended_at: components["schemas"]["InstantOrNull"];
            cancel_reason: components["schemas"]["CancelReason"] | null;
            /** @description What happened at its end, in words. */
            message: string | null;
            fill: {
                /** @description Price in quote currency. */
                price: number;
                quantity: number;
                fee: number;
                /** @enum {string} */
                role: "maker" | "taker";
                /** Format: date-time */
                at: string;
            } | null;
            /** @description The position it opened, added to or closed. */
            position_id: string | null;
        };
        OrderBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            /** @description LONG buys, SHORT sells. On an open position of this side the order adds to it. */
            side: components["schemas"]["Side"];
            type: components["schemas"]["OrderType"];
            /** @description Base units. */
            quantity?: number;
            /** @description USDT, leverage included. */
            notional?: number;
            /** @description Share of the balance that the stop may lose, costs included: 0.01 is 1 %. */
            risk_fraction?: number;
            /** @description Share of the equity that becomes margin: 0.1 is 10 %. */
            equity_fraction?: number;
            /** @description Price of a limit or stop order; rounded to the tick. None for `market`. */
            price?: number;
            /** @description Your default when absent; capped by the symbol. An order that adds has that of the position. */
            leverage?: components["schemas"]["Leverage"];
            /** @description Your `stop_loss_pct` from the entry when absent. */
            stop_loss?: number;
            /** @description Nearest first, shares sum to 1; one at your `take_profit_pct` from the entry when absent. */
            take_profits?: components["schemas"]["Targets"];
            /** @description As your settings have it when absent. */
            trailing?: components["schemas"]["TrailingChange"];
            /**
             * @description Whose ranges an ATR trailing follows.
             * @default 1h
             */
            interval?: components["schemas"]["IntervalName"];
            /** @description A resting order expires then, at most 90 days ahead; null: it stays. */
            expires_at?: string | null;
            /**
             * Format: uuid
             * @description Scan whose signal on `symbol` and `interval` it follows: the position names it.
             */
            scan_id?: string;
            /**
             * @description Closes only: LONG buys back a SHORT, SHORT sells a LONG; never more than is open, nothing is reserved.
             * @default false
             */
            reduce_only?: boolean;
            /** @description Price of the preview you saw. One that moved further is `conflict` with a new `preview`; nothing is placed. */
            expected_price?: number;
            /** @description How far it may move: 0.002 when absent, 0.002 is 0.2 %. */
            tolerance_fraction?: number;
        };
        OrderChange: {
            /** @description Price in quote currency. */
            price?: number;
            /** @description Base units. */
            quantity?: number;
            /** @description Price in quote currency. */
            stop_loss?: number;
            take_profits?: components["schemas"]["Targets"];
            trailing?: components["schemas"]["TrailingChange"];
            /** @description A resting order expires then, at most 90 days ahead; null: it stays. */
            expires_at?: string | null;
            /** @description The `revision` you saw. Another one now: `conflict` with the present `order`, and nothing changes. */
            expected_revision?: number;
        };
        OrderPreview: {
            symbol: string;
            side: components["schemas"]["Side"];
            type: components["schemas"]["OrderType"];
            /**
             * @description By the positions that are open now.
             * @enum {string}
             */
            action: "open" | "add" | "reduce" | "close";
            /** @description null: the order would be placed. */
            rejected: components["schemas"]["OrderRejection"] | null;
            /** @description Send it as `expected_price`. */
            last_price: number;
            /** Format: date-time */
            price_at: string;
            /** @description Expected fill price, slippage included. */
            entry: number | null;
            /** @enum {string} */
            role: "maker" | "taker";
            quantity: number;
            notional: number;
            leverage: number;
            /** @description Isolated margin of this fill; 0 when it closes. */
            margin: number;
            /** @description Fee of this fill. */
            fee_in: number;
            fee_out_at_stop: number | null;
            stop_loss: number | null;
            /** @description Net, with slippage and both fees; > 0 is a loss. Of the whole position when the order adds. */
            loss_at_stop: number | null;
            /** @description Percent of the balance: 2 is 2 %. */
            loss_at_stop_pct: number | null;
            targets: {
                /** @description Price in quote currency. */
                price: number;
                fraction: number;
                quantity: number;
                /** @description Net of its share, both fees included. */
                gain: number;
                /** @description Net gain per net loss at the stop, for the same quantity. */
                r: number | null;
            }[];
            /** @description Net, when all targets are reached. */
            gain_at_targets: number | null;
            /** @description null when nothing is borrowed, or when it closes. */
            liquidation: number | null;
            /** @description Percent of the entry. */
            liquidation_distance_pct: number | null;
            /** @description Average entry of the position after the fill; null when it closes. */
            average_entry: number | null;
            /** @description Quantity of the position after the fill. */
            position_quantity: number;
            /** @description What longs pay shorts next, fraction of the notional. */
            funding_rate: number | null;
            /** @description What this notional would pay; negative is received. */
            funding_next: number | null;
            next_funding_at: components["schemas"]["InstantOrNull"];
            /** @description Free before the order: no margin of a position, not set aside for an order. */
            equity_free: number;
            /** @description Free after it. */
            equity_left: number;
            /** @description Net result of what a closing order closes; null when it opens. */
            realised: number | null;
            /** @description Entry fees and funding of what a closing order closes, part of `realised`; null when it opens. */
            costs_so_far: number | null;
            /** @description Roundings and caps that were applied, in words. */
            notes: string[];
        };
        OrderPreviewResponse: {
            preview: components["schemas"]["OrderPreview"];
        };
        OrderRejection: {
            field: string;
            message: string;
            fix: string;
        };
        OrderResponse: {
            order: components["schemas"]["Order"];
        };
        /** @enum {string} */
        OrderStatus: "resting" | "filled" | "cancelled" | "expired";
        /**
         * @description `market` fills at once as taker, at the server’s last price with half the spread and slippage; `limit` rests and fills at its price, as maker, once the price trades at least a tick beyond it; `stop` rests and fills as taker, with slippage, once the price reaches it: after a gap at the worse price.
         * @enum {string}
         */
        OrderType: "market" | "limit" | "stop";
        OrdersResponse: {
            /** @description Newest first; of ended ones the newest 200. */
            orders: components["schemas"]["Order"][];
        };
        /**
         * @description `live`: signals as recorded when found; `replayed`: Live rules on stored candles. Never mixed.
         * @enum {string}
         */
        Origin: "live" | "replayed";
        OutcomeGroup: {
            /** @description Below `needed` the figures are null: not enough data. */
            count: number;
            /** @description A fraction of the entry price: 0.02 is 2 %. */
            mean_net_fraction: number | null;
            mean_interval: components["schemas"]["MeanInterval"];
            hit_rate: number | null;
            hit_rate_interval: components["schemas"]["RateInterval"];
        };
        OwnStrategy: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description Counts this version only; a new version starts at zero. */
            version: string;
            /** @description Used by scans and automatic opening. */
            is_used: boolean;
            /** @description Its signals in your scans, each settled by its own exits. */
            record: {
                origin: components["schemas"]["Origin"];
                /** @description Recorded. */
                signals: number;
                /** @description Not resolved yet: neither won nor lost. */
                open: number;
                /** @description Overdue: a candle is missing or trading is halted. They may be losers. */
                overdue: number;
                resolved: number;
                tp: number;
                sl: number;
                /** @description The horizon passed before stop and target. */
                time: number;
                /** @description The exchange ended the contract: settled at the last price seen. */
                delisted: number;
                /** @description Resolved with a gain after fees. */
                won: number;
                /** @description Stop and target in one candle: counted as stopped. */
                ambiguous: number;
                hit_rate: number | null;
                hit_rate_interval: components["schemas"]["RateInterval"];
                /** @description Independent resolved signals: same symbol, direction and time count once. */
                independent_count: number;
                /** @description A fraction of the entry price: 0.02 is 2 %. */
                mean_net_fraction: number | null;
                /** @description A fraction of the entry price: 0.02 is 2 %. */
                total_net_fraction: number | null;
                calibration: components["schemas"]["Calibration"];
                /** @description Closed on the opposite signal or an exit rule. */
                turned: number;
            };
            /** @description From its own outcomes only. */
            confidence: components["schemas"]["ConfidenceReport"];
        };
        PairBook: {
            exchange: components["schemas"]["ExchangeName"];
            contract: string;
            multiplier: number;
            /** @description Price per coin and coins, best first. */
            bids: [
                number,
                number
            ][];
            asks: [
                number,
                number
            ][];
            /** @description The exchange's stamp, epoch ms; null when it gives none. */
            atMs: number | null;
            receivedAtMs: number;
            /** @description By default. */
            takerFeeFraction: number;
            fundingRate: number | null;
            nextFundingAtMs: number | null;
            fundingIntervalHours: number | null;
            /** @description Coins. */
            stepSize: number;
            minNotionalUsdt: number | null;
        };
        PairBooksResponse: {
            symbol: string;
            buy: components["schemas"]["PairBook"];
            sell: components["schemas"]["PairBook"];
            /** @description Quantity step both exchanges accept, coins. */
            quantityStep: number;
            /** @description The larger of both minimums; 0: unknown. */
            minNotionalUsdt: number;
            skewMs: number | null;
            /** @description False when the stamps of both books differ by more than `skewLimitMs`. */
            isComparable: boolean;
            skewLimitMs: number;
        };
        /** @enum {string} */
        PartState: "up" | "down" | "unknown";
        PatternRecordResponse: {
            /** @constant */
            origin: "replayed";
            /** @description null: all symbols. */
            symbol: string | null;
            interval: string;
            /** @description A case is judged by the close this many candles later. */
            horizon_candles: number;
            needed: number;
            candle_count: number;
            first: components["schemas"]["InstantOrNull"];
            last: components["schemas"]["InstantOrNull"];
            /** @description With a record on this interval. */
            symbols: string[];
            /** @description Most cases first; those without one are left out. */
            patterns: {
                id: string;
                title: string;
                /** @enum {string} */
                direction: "bullish" | "bearish";
                /** @description Cases on closed candles. */
                count: number;
                /** @description Those the price followed. */
                right_count: number;
                /** @description 95 % interval of the share (Wilson); cases that overlap in time count as one event. */
                right_low: number | null;
                right_high: number | null;
                /** @description Share of all candles that were followed by this direction. */
                base_share: number | null;
                /**
                 * @description Interval against `base_share`; `unknown`: fewer cases than `needed`.
                 * @enum {string}
                 */
                edge: "better" | "worse" | "none" | "unknown";
            }[];
        };
        /** @description One purchase of credits. */
        Payment: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description Our id of the order at the provider.
             */
            order_id: string;
            /** @description Id at the provider; null until it responds. */
            payment_id: string | null;
            /** @enum {string} */
            provider: "nowpayments" | "moonpay";
            method: components["schemas"]["PaymentMethod"];
            /** @description Network name. Money sent on another network is lost. */
            network: string | null;
            /** @description Credits ordered. */
            tokens: number;
            /** @description Price in US cents. */
            amount_cents: number;
            status: components["schemas"]["PaymentStatus"];
            /** @description Last status of the provider, unchanged. */
            provider_status: string | null;
            /** @description Possible next statuses; cancellable if `CANCELLED` is among them. */
            next: components["schemas"]["PaymentStatus"][];
            /** @description Credits added so far, before refunds. */
            credits: number;
            /** @description Credits taken back or still owed after a refund. */
            credits_refunded: number;
            /** @description Note on a partial, late or refunded payment. */
            note: string | null;
            pay_address: string | null;
            pay_amount: string | null;
            /**
             * @example usdttrc20
             * @example bnbbsc
             */
            pay_currency: string | null;
            /** @description Memo or tag; send it where the network needs it. */
            pay_memo: string | null;
            /** @description Content of the QR code: address and amount for a wallet. */
            payment_uri: string | null;
            /** @description Payment page of the provider, if any. */
            payment_url: string | null;
            /** @description US dollars per coin in the invoice. */
            rate_usd: string | null;
            /** @description Coins received so far. */
            paid_amount: string | null;
            transaction_hash: string | null;
            /** @description Link to the transaction in an explorer. */
            transaction_url: string | null;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            credited_at: components["schemas"]["InstantOrNull"];
        };
        PaymentAnalyticsResponse: {
            /** @description The last twelve months (UTC), oldest first, empty ones included. */
            months: {
                /** @example 2026-11 */
                month: string;
                /** @description Credits added by payments, less refunds. */
                bought: number;
                /** @description US cents paid for them. */
                spent_cents: number;
                /** @description Credits spent, by operation. */
                used: {
                    scan: number;
                    arbitrage: number;
                    vision: number;
                    plan: number;
                };
                used_total: number;
            }[];
            methods: {
                method: components["schemas"]["PaymentMethod"];
                started: number;
                completed: number;
                /** @description Completed share of finished payments; null: none. */
                success_rate: number | null;
                median_seconds_to_credit: number | null;
            }[];
            /** @description Since the account exists. */
            totals: {
                bought: number;
                spent_cents: number;
                used: number;
            };
        };
        PaymentDetailResponse: {
            payment: components["schemas"]["Payment"];
            /** @description Oldest first. */
            events: components["schemas"]["PaymentEvent"][];
        };
        PaymentEvent: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            at: string;
            /**
             * @description `created`: Order stored; the provider is not yet called. `invoiced`: Address received, or card widget opened. `seen`: The provider waits for the money. `confirming`: Money seen on the network; confirming. `credited`: Full amount received; credits added. `late`: Full amount received after the order was cancelled or expired; credits added. `partial`: Partial amount received; its whole credits added. `child`: Further transfer received; its whole credits added. `unmatched`: Money received with unknown value or below one credit; nothing added. `refunded`: Refunded by the provider; available credits taken back. `failed`: The provider failed or rejected the payment. `cancelled`: The order was cancelled. `expired`: The invoice ran out.
             * @enum {string}
             */
            kind: "created" | "invoiced" | "seen" | "confirming" | "credited" | "late" | "partial" | "child" | "unmatched" | "refunded" | "failed" | "cancelled" | "expired";
            /** @description Status of the payment after the event. */
            status: components["schemas"]["PaymentStatus"];
            provider_status: string | null;
            /** @description Id at the provider; differs from the payment for a further transfer. */
            payment_id: string | null;
            /** @description Credits added; negative: taken back. */
            credits: number;
            paid_amount: string | null;
            pay_currency: string | null;
            transaction_hash: string | null;
            transaction_url: string | null;
            note: string | null;
        };
        /**
         * @description `usdt` on TRON (TRC-20), `bnb` on BNB Smart Chain (BEP-20), or a card.
         * @enum {string}
         */
        PaymentMethod: "usdt" | "bnb" | "card";
        PaymentProblem: {
            /** @description The code as a URI. */
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @description Stable; see docs/errors.md. */
            code: string;
            message: string;
            error: string;
            request_id: string;
            /** @description The input to change, e.g. `params.entryThreshold`. */
            field?: string;
            /** @description The request waits for this exchange; retry after Retry-After seconds. */
            exchange?: string;
            /** @description Message of the payment provider; shown first. */
            provider_detail?: string;
        };
        /**
         * @description Status, the same for every provider.
         * @enum {string}
         */
        PaymentStatus: "PENDING" | "COMPLETED" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED";
        PaymentsResponse: {
            /** @description Newest first. */
            payments: components["schemas"]["Payment"][];
        };
        PerformanceResponse: {
            /** @description Of `engine`; the other blocks are live. */
            origin: components["schemas"]["Origin"];
            /** @description null: `live`, or nothing replayed yet. */
            replay: components["schemas"]["Replay"] | null;
            /**
             * @description Only signals of this market are counted.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            confidence: components["schemas"]["ConfidenceReport"];
            /** @description Every signal of the public record, losers included. */
            engine: components["schemas"]["SignalRecord"];
            /** @description Signals in your scans. */
            mine: components["schemas"]["SignalRecord"];
            /** @description Signals an AI model approved in your checks without soft approval, before the next candle of their interval had closed. null before the first. */
            ai_check: components["schemas"]["SignalRecord"] | null;
            /** @description Value of your AI verdicts over a random veto of the same rate, by analyst. */
            ai_value: components["schemas"]["AiValue"][];
            /** @description Your saved weights and floor as a veto on the newest 5,000 resolved signals; null before the first save. */
            tuning: components["schemas"]["TuningValue"] | null;
            /** @description Each vote on the same signals. */
            votes: components["schemas"]["VoteRecord"][];
            /** @description The active strategy, then your other saved strategies with signals. */
            strategies: components["schemas"]["OwnStrategy"][];
        };
        Persistence: {
            /** @description Episodes: times the spread rose above the threshold. */
            episodes: number;
            /** @description Episodes among these still open when last seen; censored (Kaplan-Meier). */
            cutShort: number;
            medianLifetimeS: number | null;
            /** @description 95 % interval (Brookmeyer-Crowley, log-log). Null with fewer than 6 episodes, or while it is not reached yet. */
            medianLifetimeLowS: number | null;
            medianLifetimeHighS: number | null;
            /** @description Capture rate: share with a positive net spread that many seconds later. */
            captured: {
                s1: components["schemas"]["EpisodeShare"];
                s5: components["schemas"]["EpisodeShare"];
                s30: components["schemas"]["EpisodeShare"];
            };
            /** @description Net spread that many seconds later, percent. */
            leftPct: {
                s1: components["schemas"]["SpreadLeft"];
                s5: components["schemas"]["SpreadLeft"];
                s30: components["schemas"]["SpreadLeft"];
            };
        };
        /** Format: binary */
        PictureBytes: string;
        /** @description multipart/form-data with one file in the field `image`: PNG, JPEG or WebP, at most 2 MiB. */
        PictureForm: unknown;
        /** @description The account that ran. */
        PortfolioAccount: {
            isAuto: boolean;
            /** @description At the start, USDT. */
            equity: number;
            /** @description As set; a contract may grant less. */
            leverage: number;
            /** @description Largest position at that leverage, USDT. */
            notional: number;
            /** @enum {string} */
            sizing: "fixed" | "risk";
            riskFraction: number;
            limits: {
                /**
                 * @description Positions open at a time; 0: no limit, here and below.
                 * @default 0
                 */
                positionsMax: number;
                /**
                 * @description Positions opened in one candle.
                 * @default 0
                 */
                openingsMax: number;
                /**
                 * @description Guard: net loss closed since midnight UTC, percent of the initial equity.
                 * @default 0
                 */
                dailyLossPct: number;
                /**
                 * @description Guard: losing stops and liquidations in a row.
                 * @default 0
                 */
                stopStreak: number;
                /**
                 * @description How long the stop streak holds.
                 * @default 0
                 */
                cooldownMinutes: number;
                /**
                 * @description Guard: fall of the closed equity from its peak, percent. Holds to the end of the run.
                 * @default 0
                 */
                drawdownPct: number;
                /**
                 * @description Long and short notional together, part of the balance: 2 is twice the balance.
                 * @default 0
                 */
                grossMaxFraction: number;
                /**
                 * @description Difference of long and short notional, part of the balance.
                 * @default 0
                 */
                netMaxFraction: number;
                /**
                 * @description Loss when every position meets its stop, part of the balance.
                 * @default 0
                 */
                stopLossMaxFraction: number;
                /**
                 * @description Skips an entry that would be liquidated before its stop.
                 * @default true
                 */
                skipsStopBeyondLiquidation: boolean;
            };
            /** @description What of your Auto settings a backtest cannot do. */
            notes: string[];
        };
        /** @description Symbols that did not take part; `too_few_before_unseen`: in the training of a search alone. */
        PortfolioLeftOut: {
            symbol: string;
            /** @enum {string} */
            reason: "unknown" | "no_candles" | "too_few_candles" | "too_few_before_unseen" | "too_large" | "busy";
        }[];
        PortfolioSetResult: {
            index: number;
            /** @description Threshold and levels of this set, or its values of own rules; empty: those of the run. */
            set: components["schemas"]["SetLevels"];
            limits: {
                positionsMax?: number;
                openingsMax?: number;
            };
            train: components["schemas"]["PortfolioSummary"];
            /** @description null: not run on the unseen candles. */
            unseen: components["schemas"]["PortfolioSummary"] | null;
        };
        PortfolioSkips: {
            held: number;
            positionsWanted: number;
            maxConcurrent: number;
            dailyLoss: number;
            stopStreak: number;
            drawdown: number;
            noVolume: number;
            tooSmall: number;
            marginShort: number;
            stopBeyondLiquidation: number;
            grossExposure: number;
            netExposure: number;
            stopLosses: number;
        };
        PortfolioSummary: {
            symbolCount: number;
            tradeCount: number;
            netPnl: number;
            finalEquity: number;
            maxDrawdownFraction: number;
            fees: number;
            funding: number;
            slippage: number;
            /** @description Notional of all fills, USDT. */
            turnover: number;
            /** @description Turnover over the mean equity. */
            turnoverRatio: number;
            winRate: number | null;
            profitFactor: number | null;
            exposureFraction: number;
            meanOpenCount: number;
            maxOpenCount: number;
            maxGrossFraction: number;
            maxNetFraction: number;
            ambiguousCount: number;
            ruinMs: number | null;
            sharpe: components["schemas"]["Statistic"];
            sortino: components["schemas"]["Statistic"];
        };
        Position: {
            /** Format: uuid */
            id: string;
            symbol: string;
            side: components["schemas"]["Side"];
            interval: components["schemas"]["IntervalName"];
            exchange: components["schemas"]["ExchangeName"];
            /**
             * @description Market of the position. While the service runs on another market the position is not watched.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @enum {string} */
            source: "scan" | "vision" | "manual";
            scan_id: string | null;
            signal_id: string | null;
            /** @description Average of its entries. */
            entry_price: number;
            /** @description Still open; of a closed position all that was entered. */
            qty: number;
            /** @description Value of all its entries, at their prices. */
            entry_value: number;
            /** @description Gross result of its partial closes while it is open; `pnl` includes it. */
            realised_pnl: number;
            leverage: number;
            /** @description entry_price x qty. */
            notional: number;
            /** @description Isolated: notional / leverage. */
            margin: number;
            /** @description Current stop; trailing and you move it. */
            stop_loss: number;
            /** @description Price in quote currency. */
            initial_stop_loss: number;
            /** @description Current target, the next one of several; you may move it. */
            take_profit: number;
            /** @description Targets still ahead, nearest first; null: `take_profit` closes all of it. */
            take_profits: components["schemas"]["TargetShares"] | null;
            /** @description null when nothing is borrowed. */
            liquidation_approx: number | null;
            confidence: number;
            /** @description Share of base x leverage that was opened; 1: all of it. */
            risk_multiplier: number;
            /** @description Taker fee of its entry and exit: 0.0005 is 0.05 % of the notional. */
            taker_fee_fraction: number;
            /** @description Price step of its exchange, USDT. */
            tick_size: number;
            /** @description Net loss if the first stop is hit, fees and slippage included, as shown at the opening. */
            loss_at_stop: number;
            /** @description Net loss if the current stop is hit: fees, slippage and funding so far included. Negative: a gain. null when closed. */
            loss_at_current_stop: number | null;
            /** Format: date-time */
            opened_at: string;
            /** @description Since when it may close by itself; null before. */
            armed_at: components["schemas"]["InstantOrNull"];
            trailing_enabled: boolean;
            /** @description You changed trailing after the opening; it replaces trailing and break-even of its strategy. */
            trailing_by_owner: boolean;
            trail_mode: ("percent" | "atr") | null;
            trail_callback_pct: number | null;
            trail_step_pct: number | null;
            trail_atr_mult: number | null;
            trail_atr_period: number | null;
            /** @description Move in favour after which the stop trails, percent of the entry price; null or 0: at once. */
            trail_activation_pct: number | null;
            /** @description The saved strategy whose signal it was opened on, as it was then; null: Live rules, or levels of its own. */
            strategy: {
                /** @description `Live rules` is built in. */
                name: string;
                /** @description SHA-256 of the canonical JSON of a saved strategy. */
                version: string;
                value: components["schemas"]["StoredStrategy"];
            } | null;
            /** @description The position closes at the first price from this time on; null: no such time. */
            exit_due_at: components["schemas"]["InstantOrNull"];
            exit_due_reason: ("TIME" | "SIGNAL") | null;
            /** @description Best price since the entry, or since trailing was changed, of whole one-minute candles. */
            trail_peak: number;
            /** @description null: it is open. */
            closed_at: components["schemas"]["InstantOrNull"];
            /** @description Average of its exits. */
            close_price: number | null;
            /** @description Reason of the last exit. */
            close_reason: components["schemas"]["CloseReason"] | null;
            /** @description Gross: all exits less all entries, in the direction of its side. null while open. */
            pnl: number | null;
            roi_pct: number | null;
            /** @description Charged so far: at the entry, and at the exit when closed. */
            fees: number;
            /** @description Paid so far; negative was received. */
            funding: number;
            /** @description pnl - fees - funding. */
            net_pnl: number | null;
            return_on_margin_pct: number | null;
            /** @description net_pnl / net loss at the first stop of all that was entered. null while open, or without a risk. */
            r_multiple: components["schemas"]["RiskMultiple"];
        };
        PositionEvent: {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it happened in the market.
             */
            at: string;
            /** @constant */
            kind: "opened";
            data: {
                /** @description Price in quote currency. */
                entry_price: number;
                qty: number;
                /** @description Price in quote currency. */
                stop_loss: number;
                /** @description Price in quote currency. */
                take_profit: number;
            } & {
                [key: string]: unknown;
            };
        } | {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it happened in the market.
             */
            at: string;
            /** @constant */
            kind: "armed";
            data: {
                /** @description Price in quote currency. */
                price: number;
            } & {
                [key: string]: unknown;
            };
        } | {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it happened in the market.
             */
            at: string;
            /** @constant */
            kind: "trail_raised";
            data: {
                /** @description Price in quote currency. */
                from: number;
                /** @description Price in quote currency. */
                to: number;
                /** @description Price in quote currency. */
                peak: number;
            } & {
                [key: string]: unknown;
            };
        } | {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it happened in the market.
             */
            at: string;
            /** @constant */
            kind: "changed";
            /** @description Only the fields that changed. `at`: from when on they apply. */
            data: {
                from: components["schemas"]["ChangedFields"];
                to: components["schemas"]["ChangedFields"];
                /** @constant */
                by: "owner";
            } & {
                [key: string]: unknown;
            };
        } | {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it happened in the market.
             */
            at: string;
            /** @constant */
            kind: "added";
            /** @description `entry_price`, `qty`: of the position after it. */
            data: {
                /** @description Price in quote currency. */
                price: number;
                quantity: number;
                /** @description Price in quote currency. */
                entry_price: number;
                qty: number;
                margin: number;
            } & {
                [key: string]: unknown;
            };
        } | {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it happened in the market.
             */
            at: string;
            /** @constant */
            kind: "reduced";
            /** @description A partial close; `qty`: still open after it. */
            data: {
                /** @description Price in quote currency. */
                price: number;
                quantity: number;
                pnl: number;
                qty: number;
                reason: components["schemas"]["CloseReason"];
            } & {
                [key: string]: unknown;
            };
        } | {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it happened in the market.
             */
            at: string;
            /** @constant */
            kind: "exit_due";
            data: {
                /** @enum {string} */
                reason: "TIME" | "SIGNAL";
            } & {
                [key: string]: unknown;
            };
        } | {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it happened in the market.
             */
            at: string;
            /** @constant */
            kind: "funding";
            data: {
                amount: number;
                rate: number;
                /** @description Price in quote currency. */
                mark: number;
            } & {
                [key: string]: unknown;
            };
        } | {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it happened in the market.
             */
            at: string;
            /** @constant */
            kind: "fee";
            data: {
                amount: number;
                /** @enum {string} */
                what: "entry" | "exit";
            } & {
                [key: string]: unknown;
            };
        } | {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it happened in the market.
             */
            at: string;
            /** @constant */
            kind: "closed";
            data: {
                /** @description Price in quote currency. */
                price: number;
                reason: components["schemas"]["CloseReason"];
                /**
                 * @description What triggered it: a price, a candle, the user, or the end of the contract.
                 * @enum {string}
                 */
                by: "tick" | "candle" | "owner" | "exchange";
            } & {
                [key: string]: unknown;
            };
        };
        PositionFill: {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it happened in the market.
             */
            at: string;
            /** @enum {string} */
            kind: "open" | "add" | "partial_close" | "close";
            /** @enum {string} */
            role: "maker" | "taker";
            /** @description Price in quote currency. */
            price: number;
            quantity: number;
            fee: number;
            /** @description Gross result of a close against the average entry; 0 of an entry. */
            pnl: number;
            /** @description null of an entry. */
            reason: components["schemas"]["CloseReason"] | null;
            order_id: string | null;
            /** @description Before costs; null of limit orders, liquidations and old fills. */
            market_price: number | null;
            /** @description Paid per unit; null: not measured. */
            half_spread: number | null;
            /** @description Paid per unit beside the spread. */
            slippage: number | null;
        };
        PositionReconciliation: {
            /**
             * @description pending: compared within minutes of the close. by_hand: not opened automatically.
             * @enum {string}
             */
            state: "open" | "pending" | "by_hand" | "compared" | "not_comparable";
            reason: components["schemas"]["NotComparableReason"] | null;
            comparison: {
                lab_net: number;
                live_net: number;
                /** @description live_net less lab_net; the parts and the rest sum to it. */
                difference: number;
                /** @description Every cause, in the order of substitution. */
                parts: components["schemas"]["ReconciliationPart"][];
                /** @description Difference without a cause: 0, else a bug that the service reports. */
                rest: number;
                lab: components["schemas"]["LabTrade"];
                funding_forecast: components["schemas"]["FundingForecast"];
                /** Format: date-time */
                compared_at: string;
            } | null;
        };
        PositionResponse: {
            position: components["schemas"]["LivePosition"];
            events: components["schemas"]["PositionEvent"][];
            fills: components["schemas"]["PositionFill"][];
        };
        PositioningListResponse: {
            exchange: components["schemas"]["ExchangeName"];
            market: string;
            /** @description In the requested order. */
            rows: components["schemas"]["PositioningRow"][];
            /** @description Why figures are null, each reason once. */
            failures: string[];
        };
        PositioningResponse: {
            exchange: components["schemas"]["ExchangeName"];
            market: string;
            symbol: string;
            /** @description Distance of the points. */
            interval: components["schemas"]["IntervalName"];
            open_interest: {
                /** @description Epoch ms, the timestamps of the exchange, oldest first. */
                time: number[];
                quantity: number[];
            } | null;
            long_short: {
                /** @description Epoch ms, the timestamps of the exchange, oldest first. */
                time: number[];
                ratio: number[];
            } | null;
            /** @description Why a series is null. */
            failures: string[];
        };
        PositioningRow: {
            symbol: string;
            /** @description Open contracts, base units; null: not received. */
            open_interest: number | null;
            /** @description The same at the last price. */
            open_interest_usdt: number | null;
            open_interest_at: components["schemas"]["InstantOrNull"];
            /** @description Accounts that are long per account that is short, of the newest 5 minutes. */
            long_short_ratio: number | null;
            long_short_at: components["schemas"]["InstantOrNull"];
            /** @description Rate of the next funding, longs to shorts; 0.0001 is 0.01 %. */
            funding_rate: number | null;
            next_funding_at: components["schemas"]["InstantOrNull"];
        };
        PositionsResponse: {
            /** @description Open: newest first. Closed: newest close first. */
            positions: components["schemas"]["LivePosition"][];
            /** Format: date-time */
            server_time: string;
        };
        PreferencesRequestInput: {
            /** @enum {string} */
            active_tab?: "dashboard" | "signals" | "auto" | "backtest" | "arb" | "profile" | "funds" | "news" | "help" | "vision" | "settings" | "payments" | "api-manager" | "api-docs" | "account";
            /** @description Sub-tab of the active tab. */
            current_page?: string | null;
            auto_scan_enabled?: boolean;
            /** @description The service scans every 10 minutes while you are away, 1 credit each; turns off at 0 credits. */
            keep_scanning?: boolean;
            /** @description `softApproval` of the AI checks after a scan. */
            ai_soft_approval?: boolean;
            /** @description `allowAiCorrectionOnReject` of the AI checks after a scan. */
            ai_allow_correction?: boolean;
            /** @description Percent: 2 is 2 %. */
            min_auto_conf_pct?: number;
            /** @description Whether `min_auto_conf_pct` also applies to the score of saved strategies. If not, their own threshold applies until their win chance is measured. */
            min_conf_on_score?: boolean;
            positions_wanted?: number;
            balance_usdt?: components["schemas"]["Balance"];
            leverage?: number;
            /** @enum {string} */
            risk_tolerance?: "low" | "medium" | "high";
            /**
             * @description `risk`: the size follows from the risk per trade and the distance of the stop; `fixed`: `base_usdt` x leverage.
             * @enum {string}
             */
            sizing_mode?: "risk" | "fixed";
            /** @description Largest margin of one position, USDT. Null: the balance. */
            base_usdt?: number | null;
            /**
             * @description Stop and target of positions from a signal: those of the signal, or `stop_loss_pct` and `take_profit_pct`.
             * @enum {string}
             */
            levels_mode?: "signal" | "own";
            whitelist?: string;
            blacklist?: string;
            max_symbols?: number;
            interval_opts?: {
                "15m": boolean;
                "1h": boolean;
                "4h": boolean;
            };
            /** @enum {string} */
            scan_interval?: "15m" | "1h" | "4h";
            dynamic_risk_on?: boolean;
            /** @description A fraction, despite its name: 0.02 is 2 %. */
            risk_min_pct?: number;
            /** @description A fraction, despite its name: 0.02 is 2 %. */
            risk_max_pct?: number;
            risk_smoothing?: number;
            risk_perf_lookback?: number;
            /** @description Default stop, percent from the entry. 0: an opening without a stop is rejected. */
            stop_loss_pct?: number;
            /** @description Default target, percent from the entry. 0: an opening without a target is rejected. */
            take_profit_pct?: number;
            max_concurrent_positions?: number;
            trailing_enabled?: boolean;
            /** @enum {string} */
            trail_mode?: "percent" | "atr";
            /** @description Percent: 2 is 2 %. */
            trail_callback_pct?: number;
            /** @description Percent: 2 is 2 %. */
            trail_step_pct?: number;
            trail_atr_mult?: number;
            trail_atr_period?: number;
            /** @description Trailing starts after a profit of this many stop distances; 0: at once. */
            trail_activation_stops?: number;
            tuning_conf_floor?: number | null;
            /** @description Null: device setting. */
            theme?: ("dark" | "light") | null;
            /** @description Colours of gain and loss. */
            palette?: ("green-red" | "blue-orange") | null;
            /** @description Time zone of displayed times. */
            time_zone?: ("local" | "utc") | null;
            /** @description Open positions automatically after a scan or analysis. */
            auto_open_enabled?: boolean;
            /** @description The notice of the first automatic opening was dismissed. */
            auto_open_noticed?: boolean;
            guard_daily_loss_pct?: number | null;
            guard_stop_streak?: number | null;
            guard_cooldown_minutes?: number;
            guard_drawdown_pct?: number | null;
            /** @description Loss at all stops together, percent of the equity: automatic openings are sized down to it. null: off. */
            guard_stops_pct?: number | null;
            /** @description Net exposure, percent of the equity: automatic openings are sized down to it. null: off. */
            guard_exposure_pct?: number | null;
        };
        PreferencesResponse: {
            /** @enum {string} */
            active_tab: "dashboard" | "signals" | "auto" | "backtest" | "arb" | "profile" | "funds" | "news" | "help" | "vision" | "settings" | "payments" | "api-manager" | "api-docs" | "account";
            /** @description Sub-tab of the active tab. */
            current_page: string | null;
            auto_scan_enabled: boolean;
            /** @description The service scans every 10 minutes while you are away, 1 credit each; turns off at 0 credits. */
            keep_scanning: boolean;
            /** @description `softApproval` of the AI checks after a scan. */
            ai_soft_approval: boolean;
            /** @description `allowAiCorrectionOnReject` of the AI checks after a scan. */
            ai_allow_correction: boolean;
            /** @description Percent: 2 is 2 %. */
            min_auto_conf_pct: number;
            /** @description Whether `min_auto_conf_pct` also applies to the score of saved strategies. If not, their own threshold applies until their win chance is measured. */
            min_conf_on_score: boolean;
            positions_wanted: number;
            balance_usdt: components["schemas"]["Balance"];
            leverage: number;
            /** @enum {string} */
            risk_tolerance: "low" | "medium" | "high";
            /**
             * @description `risk`: the size follows from the risk per trade and the distance of the stop; `fixed`: `base_usdt` x leverage.
             * @enum {string}
             */
            sizing_mode: "risk" | "fixed";
            /** @description Largest margin of one position, USDT. Null: the balance. */
            base_usdt: number | null;
            /**
             * @description Stop and target of positions from a signal: those of the signal, or `stop_loss_pct` and `take_profit_pct`.
             * @enum {string}
             */
            levels_mode: "signal" | "own";
            whitelist: string;
            blacklist: string;
            max_symbols: number;
            interval_opts: {
                "15m": boolean;
                "1h": boolean;
                "4h": boolean;
            };
            /** @enum {string} */
            scan_interval: "15m" | "1h" | "4h";
            dynamic_risk_on: boolean;
            /** @description A fraction, despite its name: 0.02 is 2 %. */
            risk_min_pct: number;
            /** @description A fraction, despite its name: 0.02 is 2 %. */
            risk_max_pct: number;
            risk_smoothing: number;
            risk_perf_lookback: number;
            /** @description Default stop, percent from the entry. 0: an opening without a stop is rejected. */
            stop_loss_pct: number;
            /** @description Default target, percent from the entry. 0: an opening without a target is rejected. */
            take_profit_pct: number;
            max_concurrent_positions: number;
            trailing_enabled: boolean;
            /** @enum {string} */
            trail_mode: "percent" | "atr";
            /** @description Percent: 2 is 2 %. */
            trail_callback_pct: number;
            /** @description Percent: 2 is 2 %. */
            trail_step_pct: number;
            trail_atr_mult: number;
            trail_atr_period: number;
            /** @description Trailing starts after a profit of this many stop distances; 0: at once. */
            trail_activation_stops: number;
            tuning_conf_floor: number | null;
            /** @description Null: device setting. */
            theme: ("dark" | "light") | null;
            /** @description Colours of gain and loss. */
            palette: ("green-red" | "blue-orange") | null;
            /** @description Time zone of displayed times. */
            time_zone: ("local" | "utc") | null;
            /** @description Open positions automatically after a scan or analysis. */
            auto_open_enabled: boolean;
            /** @description The notice of the first automatic opening was dismissed. */
            auto_open_noticed: boolean;
            guard_daily_loss_pct: number | null;
            guard_stop_streak: number | null;
            guard_cooldown_minutes: number;
            guard_drawdown_pct: number | null;
            /** @description Loss at all stops together, percent of the equity: automatic openings are sized down to it. null: off. */
            guard_stops_pct: number | null;
            /** @description Net exposure, percent of the equity: automatic openings are sized down to it. null: off. */
            guard_exposure_pct: number | null;
            /** @description Name of the linked chat; `/api/notifications` links one. */
            telegram: string | null;
            /** @description Webhook URL; set by `/api/notifications/webhook`. */
            webhook: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        Preview: {
            would_open: boolean;
            reason: components["schemas"]["SkipReason"] | null;
            detail: components["schemas"]["SkipDetail"] | null;
            message: string;
            symbol: string;
            interval: components["schemas"]["IntervalName"];
            side: components["schemas"]["Side"] | null;
            /** @description A market order at the last price of the server; an opening uses the price at its own time. */
            entry_price: number | null;
            price_at: components["schemas"]["InstantOrNull"];
            qty: number;
            leverage: number;
            leverage_asked: number;
            /** @description Share of base x leverage that would be opened. */
            risk_multiplier: number;
            notional: number;
            margin: number;
            stop_loss: number | null;
            take_profit: number | null;
            liquidation_approx: number | null;
            /** @description Net loss if the stop is hit: slippage and both fees included, > 0. */
            loss_at_stop: number | null;
            loss_at_stop_pct: number | null;
            /** @description Risk per trade by your settings (level and dynamic risk), of your balance. Percent: 2 is 2 %. */
            risk_pct: number;
            gain_at_target: number | null;
            fee_entry: number;
            fee_exit_at_stop: number | null;
            /** @description What longs pay shorts next, fraction of the notional. */
            funding_rate: number | null;
            next_funding_at: components["schemas"]["InstantOrNull"];
            warnings: components["schemas"]["Warning"][];
        };
        PreviewResponse: {
            preview: components["schemas"]["Preview"];
        };
        PriceBatchResponse: {
            exchange: components["schemas"]["ExchangeName"];
            /**
             * @description Only live data comes from a real exchange.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @description Milliseconds since the exchange last confirmed this data. */
            data_age_ms: number;
            prices: {
                symbol: string;
                /** @description Last trade, USDT. */
                price: number;
                bid: number | null;
                ask: number | null;
                /** @description Mark price; decides liquidations. */
                mark: number | null;
                /**
                 * Format: date-time
                 * @description The exchange's own stamp.
                 */
                at: string;
            }[];
            /** @description Symbols without a price, with the reason. */
            missing: {
                symbol: string;
                /**
                 * @description `not_traded`: not listed, or its contract has ended; `halted`: suspended by the exchange; `no_price`: the exchange sent none.
                 * @enum {string}
                 */
                why: "not_traded" | "halted" | "no_price";
            }[];
        };
        PriceResponse: {
            symbol: string;
            /** @description Last trade, USDT. */
            price: number;
            bid: number | null;
            ask: number | null;
            /** @description Mark price; decides liquidations. */
            mark: number | null;
            /**
             * Format: date-time
             * @description The exchange's own stamp.
             */
            at: string;
            exchange: components["schemas"]["ExchangeName"];
            /**
             * @description Only live data comes from a real exchange.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @description Milliseconds since the exchange last confirmed this data. */
            data_age_ms: number;
        };
        PrivacyRequest: {
            /** @description Page load times of your browser are counted anonymously. */
            analytics?: boolean;
            /** @description Your runs count in `GET /api/research/backtests`, in groups of at least five users. */
            research_sharing?: boolean;
            /** @description Operator news by email. */
            marketing?: boolean;
            /** @description Shows your names, bio and pictures to all users. */
            public_stats?: boolean;
            /** @description Lists your username in `GET /api/leaderboard`. */
            leaderboard?: boolean;
            /** @description Lets users follow you. Turning it off removes all followers. */
            allow_follow?: boolean;
        };
        PrivacyResponse: {
            /** @description Page load times of your browser are counted anonymously. */
            analytics: boolean;
            /** @description Your runs count in `GET /api/research/backtests`, in groups of at least five users. */
            research_sharing: boolean;
            /** @description Operator news by email. */
            marketing: boolean;
            /** @description Shows your names, bio and pictures to all users. */
            public_stats: boolean;
            /** @description Lists your username in `GET /api/leaderboard`. */
            leaderboard: boolean;
            /** @description Lets users follow you. Turning it off removes all followers. */
            allow_follow: boolean;
        };
        /** @description Every error of this API. */
        Problem: {
            /** @description The code as a URI. */
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @description Stable; see docs/errors.md. */
            code: string;
            message: string;
            error: string;
            request_id: string;
            /** @description The input to change, e.g. `params.entryThreshold`. */
            field?: string;
            /** @description The request waits for this exchange; retry after Retry-After seconds. */
            exchange?: string;
        };
        ProfileRequestInput: {
            display_name?: string;
            /** @description Plain text with line breaks. */
            bio?: string | null;
        };
        ProfileResponse: {
            display_name: string;
            /** @description Null: none chosen. */
            username: string | null;
            bio: string | null;
            /** @description Path on this server. */
            avatar_url: string | null;
            /** @description Path on this server. */
            cover_url: string | null;
            /** Format: date-time */
            created_at: string;
        };
        PublicProfileResponse: {
            display_name: string;
            /** @description Null: none chosen. */
            username: string | null;
            bio: string | null;
            /** @description Path on this server. */
            avatar_url: string | null;
            /** @description Path on this server. */
            cover_url: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Results of simulated positions on the market of this installation. */
            stats: {
                closed_positions: number;
                /** @description Share of closes with a net gain; null without a close. */
                win_rate: number | null;
                /** @description After fees and funding. */
                net_pnl_usdt: number;
            };
        };
        PublicSignal: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            exchange: components["schemas"]["ExchangeName"];
            /** @enum {string} */
            market: "simulated" | "replay" | "live";
            symbol: string;
            interval: string;
            /** Format: date-time */
            candle_close_at: string;
            /** @enum {string} */
            direction: "LONG" | "SHORT";
            confidence: number;
            confidence_kind: components["schemas"]["ConfidenceKind"];
            /** @description Shown as score. */
            raw_confidence: number;
            price: number;
            stop_loss: number;
            take_profit: number;
            horizon_min: number;
            risk_label: string;
            hashes: components["schemas"]["SignalHashes"];
            /** @description null: still open, not lost. */
            outcome: {
                /**
                 * @description `DELISTED`: the exchange ended the contract; settled at the last price seen.
                 * @enum {string}
                 */
                outcome: "TP" | "SL" | "TIME" | "DELISTED";
                exit_price: number;
                /** Format: date-time */
                exit_at: string;
                net_fraction: number;
                is_ambiguous: boolean;
                /** @description Length of the candles it was judged on. */
                basis: string;
            } | null;
        };
        PushEndpointBody: {
            /** @description https address of the browser’s push service. */
            endpoint: string;
        };
        PushSubscriptionBodyInput: {
            /** @description https address of the browser’s push service. */
            endpoint: string;
            keys: {
                /** @description Public key of the browser. */
                p256dh: string;
                /** @description Secret of the subscription. */
                auth: string;
            };
            /** @description Name of the browser, such as Chrome on Linux. */
            label: string;
        };
        PushSubscriptionsResponse: {
            /** @description Application server key for `pushManager.subscribe`, base64url. */
            public_key: string;
            /** @description Browsers that receive pushes, oldest first; at most 10. */
            subscriptions: {
                endpoint: string;
                label: string;
                /** Format: date-time */
                created_at: string;
                last_sent_at: components["schemas"]["InstantOrNull"];
            }[];
        };
        Range: {
            min: number;
            max: number;
        };
        /** @description The first 20, you, and users you follow. */
        RankingResponse: {
            days: number;
            /** @description Fewest closed positions a user needs to be ranked. */
            positions_min: number;
            rows: {
                rank: number;
                username: string;
                /** @description Simulated positions closed in the window. */
                positions: number;
                winners: number;
                /** @description USDT, simulated, after fees and funding. */
                net_pnl: number;
                /** @description Net PnL over the margin of all of them, percent. */
                return_on_margin_pct: number;
                is_you: boolean;
                is_followed: boolean;
                /** @description Allows others to follow. */
                can_follow: boolean;
            }[];
        };
        RateHelpRequest: {
            helpful: boolean;
        };
        /** @description 95 %, Wilson; signals that are open at the same time are one draw. */
        RateInterval: {
            low: number;
            high: number;
        } | null;
        RatedHelpAnswer: {
            ratings: components["schemas"]["HelpRatings"];
        };
        /** @description Never changed once issued. */
        Receipt: {
            /** Format: uuid */
            id: string;
            /**
             * @description Consecutive within a year.
             * @example 2026-000017
             */
            number: string;
            year: number;
            /** Format: date-time */
            issued_at: string;
            /** Format: uuid */
            order_id: string;
            payment_id: string | null;
            method: components["schemas"]["PaymentMethod"];
            /** @example USDT on TRON (TRC-20) */
            method_name: string;
            /** @description Negative on the receipt of a refund. */
            credits: number;
            /** @description US cents; negative on the receipt of a refund. */
            amount_cents: number;
            seller: {
                name: string;
                address: string;
                tax_id: string | null;
            };
        };
        /** Format: binary */
        ReceiptPdf: string;
        ReceiptResponse: {
            receipt: components["schemas"]["Receipt"];
        };
        /** @description RFC 4180, oldest first. */
        ReceiptsCsv: string;
        ReceiptsResponse: {
            /** @description Newest first. */
            receipts: components["schemas"]["Receipt"][];
            /** @description Years that have receipts, newest first. */
            years: number[];
            /** @description False: the operator has not set the seller details; no receipts. */
            is_available: boolean;
        };
        RecentSignals: {
            /** @description Positions the rules would have opened. */
            opened: number;
            /** @description Last closed candles of the base interval that were tested. */
            candles: number;
            /** @description Symbols that were tested, of your universe, at most 100. */
            symbols: number;
            /** @description Symbols without candles in time. */
            left_out: number;
            text: string;
            /** @description null: some position would have opened. */
            warning: string | null;
        };
        /**
         * @description revision: candles revised after the close. entry: price and delay. slippage: of the lab and of the fill. mark: mark price against last. exit: fill of the exit. size, fees, funding: as named.
         * @enum {string}
         */
        ReconciliationCause: "revision" | "entry" | "slippage" | "mark" | "exit" | "size" | "fees" | "funding";
        ReconciliationPart: {
            cause: components["schemas"]["ReconciliationCause"];
            amount: number;
        };
        ReconciliationResponse: {
            all: components["schemas"]["ReconciliationTotals"];
            /** @description By count, largest first, at most 50. */
            by_strategy: components["schemas"]["ReconciliationTotals"][];
            not_comparable: {
                reason: components["schemas"]["NotComparableReason"];
                count: number;
            }[];
            /** @description Comparisons with a rest other than 0. */
            unexplained: number;
        };
        ReconciliationTotals: {
            /** @description Strategy; `Live rules` without one; `All` of the whole. */
            name: string;
            count: number;
            lab_net: number;
            live_net: number;
            /** @description live_net less lab_net; the parts and the rest sum to it. */
            difference: number;
            /** @description Every cause, in the order of substitution. */
            parts: components["schemas"]["ReconciliationPart"][];
            /** @description Difference without a cause: 0, else a bug that the service reports. */
            rest: number;
        };
        RecoveryCodesResponse: {
            /** @description Each works once. Shown only here. */
            recovery_codes: string[];
        };
        RenameRunBody: {
            name: components["schemas"]["RunName"];
        };
        RenewedResponse: {
            /** @description Signs every message from now on (Standard Webhooks). Shown once. */
            secret: string;
            /**
             * Format: date-time
             * @description Until then `webhook-signature` carries two signatures, space-separated, by the new and the previous key. Accept either while you switch.
             */
            previous_until: string;
        };
        Replay: {
            origin: components["schemas"]["Origin"];
            /** Format: date-time */
            as_of: string;
            strategy_version: string;
            engine_hash: string;
            symbols: number;
            /** @description Series of symbol and interval replayed so far. */
            series: number;
            /** @description Series of the universe. */
            series_wanted: number;
            /** @description Mean result of symbols still listed minus that of all, percent; null with the reason. */
            survivor_bias: {
                ended_symbols: number;
                net_pct: number | null;
                reason: string | null;
            };
            groups: {
                /**
                 * @description `hour`: UTC hour of the close.
                 * @enum {string}
                 */
                by: "interval" | "direction" | "hour";
                key: string;
                count: number;
                independent_count: number;
                hit_rate: number | null;
                hit_rate_interval: components["schemas"]["RateInterval"];
                /** @description Mean of independent signals, percent of the entry price. */
                mean_net_pct: number | null;
                /** @description 95 %, errors summed by blocks of days. At most 0: no edge shown. */
                net_low_pct: number | null;
                net_high_pct: number | null;
            }[];
        };
        ReplayedResponse: {
            /** @constant */
            origin: "replayed";
            symbol: string;
            interval: string;
            /** @description Finished signals of the series. */
            total: number;
            /** @description Signals whose time was not over. */
            open: number;
            signals: {
                /** Format: date-time */
                candle_close_at: string;
                /** @enum {string} */
                direction: "LONG" | "SHORT";
                raw_confidence: number;
                price: number;
                stop_loss: number;
                take_profit: number;
                horizon_min: number;
                /** @enum {string} */
                outcome: "TP" | "SL" | "TIME" | "DELISTED";
                /**
                 * Format: date-time
                 * @description Open of the candle it ended in.
                 */
                exit_at: string;
                net_fraction: number;
                is_ambiguous: boolean;
            }[];
        };
        /** @description Server runs of users who share, in groups of at least `people_min` users. */
        ResearchResponse: {
            people_min: number;
            groups: {
                symbol: string;
                interval: string;
                people: number;
                runs: number;
                /** @description Runs with a net profit over all runs, 0 to 1. */
                profitable_fraction: number;
            }[];
        };
        ResetPasswordRequestInput: {
            token: string;
            password: components["schemas"]["NewPassword"];
            /**
             * @description Also revokes all API keys.
             * @default true
             */
            revoke_api_keys?: boolean;
        };
        ResetRequestInput: {
            email: components["schemas"]["EmailInput"];
        };
        ReverseBody: {
            /** @description As far from the entry as the first stop was when absent. */
            stop_loss?: number;
            /** @description As far from the entry as the target was when absent. */
            take_profit?: number;
        };
        ReversedResponse: {
            closed: components["schemas"]["Position"];
            opened: components["schemas"]["Position"];
        };
        RiskMultiple: number | null;
        /** @enum {string} */
        RiskTolerance: "low" | "medium" | "high";
        RotateRequestInput: {
            /**
             * @description How long the previous key stays valid.
             * @default hour
             * @enum {string}
             */
            old_key_works?: "no_longer" | "hour" | "day";
        };
        /** @description Values of parameters of own rules that have a range: {"fast": 12}. */
        RuleValues: {
            [key: string]: number;
        };
        /**
         * @description Where sets of `strategy` are drawn from, as `space` says it of `params`: weights within -5..5; stop, target and trailing distance in the mode of the strategy, as fractions or average true ranges.
         * @example {
         *       "weight": {
         *         "min": -1,
         *         "max": 2
         *       },
         *       "weights": {
         *         "rsi": {
         *           "min": 0,
         *           "max": 0
         *         }
         *       },
         *       "trailing": "on"
         *     }
         */
        RulesSpace: {
            /** @enum {string} */
            draw?: "mixed" | "dense";
            weight?: components["schemas"]["Range"];
            weights?: {
                [key: string]: components["schemas"]["Range"];
            };
            entryThreshold?: components["schemas"]["Range"];
            stop?: components["schemas"]["Range"];
            target?: components["schemas"]["Range"];
            /** @enum {string} */
            trailing?: "off" | "on" | "either";
            trailingDistance?: components["schemas"]["Range"];
        };
        /** @description Own rules as text, such as `long when rsi(14) < 30`. docs/rules.md has the language. */
        RulesText: string;
        RunBacktestBodyInput: {
            /** @description Loads closed candles of this symbol. Or send `candles`. */
            symbol?: components["schemas"]["SymbolName"];
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
            /** @default 1h */
            interval?: components["schemas"]["IntervalName"];
            /**
             * @description Candles loaded; more where the rules read whole UTC days, unless `isExact`.
             * @default 800
             */
            limit?: number;
            /**
             * @description Loads exactly `limit` candles, to repeat a run. Rules may then lack a score on the first scored candles.
             * @default false
             */
            isExact?: boolean;
            /** @description Epoch ms: only candles closed by then. Now when absent. */
            endTime?: number;
            /** @description Your own candles instead of a symbol. */
            candles?: {
                /** @description Open of each candle, epoch ms UTC, strictly increasing. */
                time: number[];
                open: number[];
                high: number[];
                low: number[];
                close: number[];
                /** @description Base units, >= 0; a candle without volume is never traded in. */
                volume: number[];
            };
            /** @default {} */
            params?: components["schemas"]["StrategyParamsInput"];
            /** @description A strategy of rules instead of `params`, without news. Its first interval is `interval`; longer ones are loaded for a symbol. With your own candles, send them as `context`. */
            strategy?: components["schemas"]["StrategyInput"];
            /** @description Own rules as text, in place of `strategy`: `long when rsi(14) < 30`. They decide on candles of `interval`; errors name line, column and fix. The response has their `strategy`. */
            rules?: components["schemas"]["RulesText"];
            /** @description For your own candles: those of each longer interval of `strategy` or `rules`, the shortest first, from about 500 candles earlier for warm-up, more for longer look-backs. Each candle must match the base candles in it; the first mismatch is rejected. */
            context?: {
                /** @description Open of each candle, epoch ms UTC, strictly increasing. */
                time: number[];
                open: number[];
                high: number[];
                low: number[];
                close: number[];
                /** @description Base units, >= 0; a candle without volume is never traded in. */
                volume: number[];
            }[];
            /**
             * @description For a symbol: mark prices decide liquidations, and minute candles settle exits whose candle holds both stop and target, for every set of a search. What the exchange lacks is left out.
             * @default true
             */
            fineData?: boolean;
            /** @description For your own candles: their mark prices. */
            markPrices?: components["schemas"]["MarkPrices"];
            /** @description For your own candles: finer candles that settle their exits. */
            fineCandles?: {
                /** @description Open of each candle, epoch ms UTC, strictly increasing. */
                time: number[];
                open: number[];
                high: number[];
                low: number[];
                close: number[];
                /** @description Base units, >= 0; a candle without volume is never traded in. */
                volume: number[];
            };
            /** @description For your own candles: the symbol of `exchange` whose minute candles are loaded. */
            minutesOf?: components["schemas"]["SymbolName"];
            /** @default {} */
            costs?: components["schemas"]["RunCostsInput"];
            /** @description Symbol whose tick, step, minimum notional and leverage tiers on `exchange` apply. Default: the symbol of the candles; none for your own candles. `none`, or rules in `costs`: nothing is loaded. */
            rulesOf?: "none" | components["schemas"]["SymbolName"];
            /** @description Trades may open on this many last candles; earlier ones are warm-up. 500 for a symbol, all for your own candles. */
            scored?: number;
            /** @description Searches for better sets of `params`, or of `strategy`; the set you send is set 0. Up to 1000 samples return `best` at once; above that, 202 and a search to follow. Samples times candles may be 1,000,000,000; a set of `strategy` counts as 6. */
            optimize?: components["schemas"]["OptimizeOptionsInput"];
            /**
             * @description Assesses how much of the result luck explains. Up to 1000 samples.
             * @default false
             */
            honesty?: boolean;
            /**
             * @description Sets you tried elsewhere on these candles; the larger of this and the count of your account is used.
             * @default 0
             */
            earlierTrials?: number;
            /** @description Saves the run under this name. */
            name?: components["schemas"]["RunName"];
            /** @description For a named run: the scored candles were selected by date, not by number. */
            isRange?: boolean;
            /** @description Name of your own candles. */
            label?: string;
        };
        RunBacktestResponse: components["schemas"]["OptimizedResponse"] | components["schemas"]["RunResponse"];
        RunCostsInput: {
            /** @description That of `exchange`, lowest tier, when absent. */
            takerFeeFraction?: number;
            /** @description That of `exchange`, lowest tier, when absent. */
            makerFeeFraction?: number;
            /** @default 0.0001 */
            slippageFraction?: number;
            /** @default 0.0002 */
            stopSlippageFraction?: number;
            /** @default 1000 */
            initialEquity?: number;
            /** @default 1000 */
            notional?: number;
            /** @default 10 */
            leverage?: number;
            /** @default 0.005 */
            maintenanceMarginFraction?: number;
            /**
             * @description What longs pay at each assumed funding, a fraction of the notional.
             * @default 0.0001
             */
            assumedFundingFraction?: number;
            /**
             * @default market
             * @enum {string}
             */
            takeProfitOrder?: "market" | "limit";
            funding?: components["schemas"]["Funding"];
            /**
             * @description What is charged: the settled rates, `assumedFundingFraction` at 0, 8 and 16 h UTC, or nothing.
             * @default history
             * @enum {string}
             */
            fundingSource?: "history" | "assumed" | "off";
            /**
             * @description What comes first in a candle that holds both stop and target.
             * @default stop
             * @enum {string}
             */
            sameBar?: "stop" | "target";
            /** @enum {string} */
            liquidationModel?: "binance" | "bybit" | "okx";
            tiers?: components["schemas"]["LeverageTierInput"][];
            tickSize?: number;
            stepSize?: number;
            minNotional?: number;
            /** @description Largest market order, base units; 0: no limit. */
            maxQuantity?: number;
            /**
             * @description Slippage that the size of a fill adds: so many volatilities of a candle times the square root of its share of the turnover; 0: none.
             * @default 1
             */
            impactCoefficient?: number;
            /**
             * @description Largest part of the turnover of a candle that an entry takes; 0: no limit.
             * @default 0.1
             */
            turnoverShareMax?: number;
            /** @description Whose rules `tickSize`, `stepSize`, `minNotional`, `maxQuantity` and `tiers` are. Changes no figure. */
            rulesOf?: {
                /** @enum {string} */
                exchange: "binance" | "bybit" | "okx";
                symbol: string;
                /** @description The leverage that was set, where the exchange grants less at this size. */
                leverageAsked?: number;
                /** @description The tiers of the exchange are unknown; `tiers` holds the one maintenance rate and the limits that a run then has. */
                areTiersAssumed?: boolean;
            };
        };
        RunName: string;
        RunPortfolioBodyInput: {
            /** @description Your universe, as scans select it, at most 128, when absent. */
            symbols?: components["schemas"]["SymbolName"][];
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
            /** @description Length of the candles that decide. That of the strategy, or 1h, when absent. */
            interval?: components["schemas"]["IntervalName"];
            /**
             * @description Candles of each symbol; the first ones warm the indicators up.
             * @default 1200
             */
            limit?: number;
            /** @description Epoch ms: only candles closed by then. Now when absent. */
            endTime?: number;
            /** @description The strategy that decides. */
            strategy?: components["schemas"]["StrategyInput"];
            /** @description Own rules as text instead of `strategy`. Without both: what Auto trades, your saved strategy or Live rules with your tuning. */
            rules?: components["schemas"]["RulesText"];
            /** @description Threshold and levels in place of those of the strategy, also of what Auto trades; of own rules `values` alone. */
            set?: components["schemas"]["SetLevels"];
            /**
             * @description Fees, slippage and account; each contract is loaded. With `asAuto` the account is that of your settings.
             * @default {}
             */
            costs?: {
                /** @description That of `exchange`, lowest tier, when absent. */
                takerFeeFraction?: number;
                /** @description That of `exchange`, lowest tier, when absent. */
                makerFeeFraction?: number;
                /** @default 0.0001 */
                slippageFraction?: number;
                /** @default 0.0002 */
                stopSlippageFraction?: number;
                /** @default 1000 */
                initialEquity?: number;
                /** @default 1000 */
                notional?: number;
                /** @default 10 */
                leverage?: number;
                /** @default 0.005 */
                maintenanceMarginFraction?: number;
                /**
                 * @description What longs pay at each assumed funding, a fraction of the notional.
                 * @default 0.0001
                 */
                assumedFundingFraction?: number;
                /**
                 * @default market
                 * @enum {string}
                 */
                takeProfitOrder?: "market" | "limit";
                /**
                 * @description What is charged: the settled rates, `assumedFundingFraction` at 0, 8 and 16 h UTC, or nothing.
                 * @default history
                 * @enum {string}
                 */
                fundingSource?: "history" | "assumed" | "off";
                /**
                 * @description What comes first in a candle that holds both stop and target.
                 * @default stop
                 * @enum {string}
                 */
                sameBar?: "stop" | "target";
                /**
                 * @description Slippage that the size of a fill adds: so many volatilities of a candle times the square root of its share of the turnover; 0: none.
                 * @default 1
                 */
                impactCoefficient?: number;
                /**
                 * @description Largest part of the turnover of a candle that an entry takes; 0: no limit.
                 * @default 0.1
                 */
                turnoverShareMax?: number;
            };
            /** @description Those of your Auto settings when absent. */
            limits?: {
                /**
                 * @description Positions open at a time; 0: no limit, here and below.
                 * @default 0
                 */
                positionsMax?: number;
                /**
                 * @description Positions opened in one candle.
                 * @default 0
                 */
                openingsMax?: number;
                /**
                 * @description Guard: net loss closed since midnight UTC, percent of the initial equity.
                 * @default 0
                 */
                dailyLossPct?: number;
                /**
                 * @description Guard: losing stops and liquidations in a row.
                 * @default 0
                 */
                stopStreak?: number;
                /**
                 * @description How long the stop streak holds.
                 * @default 0
                 */
                cooldownMinutes?: number;
                /**
                 * @description Guard: fall of the closed equity from its peak, percent. Holds to the end of the run.
                 * @default 0
                 */
                drawdownPct?: number;
                /**
                 * @description Long and short notional together, part of the balance: 2 is twice the balance.
                 * @default 0
                 */
                grossMaxFraction?: number;
                /**
                 * @description Difference of long and short notional, part of the balance.
                 * @default 0
                 */
                netMaxFraction?: number;
                /**
                 * @description Loss when every position meets its stop, part of the balance.
                 * @default 0
                 */
                stopLossMaxFraction?: number;
                /**
                 * @description Skips an entry that would be liquidated before its stop.
                 * @default true
                 */
                skipsStopBeyondLiquidation?: boolean;
            };
            /** @description Takes balance, leverage, base, risk and confidence limits of your Auto settings; true when `limits` are absent. */
            asAuto?: boolean;
            /**
             * @description Assesses how much of the result luck explains.
             * @default true
             */
            honesty?: boolean;
            /**
             * @description Sets you tried elsewhere on these candles; the larger of this and the count of your account is used.
             * @default 0
             */
            earlierTrials?: number;
        };
        RunPortfolioResponse: {
            exchange: components["schemas"]["ExchangeName"];
            interval: components["schemas"]["IntervalName"];
            strategy: components["schemas"]["StoredStrategy"];
            /** @description Name of the strategy that Auto trades; null: sent with the request. */
            strategy_name: string | null;
            account: components["schemas"]["PortfolioAccount"];
            summary: components["schemas"]["PortfolioSummary"];
            /** @description Largest equal order, USDT, that takes at most 10 % of the turnover of its candle in every entry and exit, and the symbol that limits it; null without trades. */
            capacity: {
                notional: number;
                symbol: string;
            } | null;
            /** @description At most 500 evenly spaced candles: open (epoch ms), equity and drawdown at the close, exposure. */
            curve: {
                time: number[];
                equity: number[];
                drawdown: number[];
                longNotional: number[];
                shortNotional: number[];
                margin: number[];
                openCount: number[];
            };
            contributions: {
                symbol: string;
                firstMs: number;
                lastMs: number;
                tradeCount: number;
                netPnl: number;
                fees: number;
                funding: number;
                slippage: number;
                turnover: number;
                exposureFraction: number;
                turnoverShareMax: number | null;
                skips: components["schemas"]["PortfolioSkips"];
                /** @description null: the exchange does not state it. */
                listed_at: components["schemas"]["InstantOrNull"];
                /** @description The exchange has delisted it. */
                has_ended: boolean;
                leverage: number;
            }[];
            months: {
                month: string;
                returnFraction: number;
                netPnl: number;
                tradeCount: number;
            }[];
            regimes: {
                /** @enum {string} */
                regime: "trend" | "range" | "highVolatility" | "lowVolatility" | "unknown";
                tradeCount: number;
                netPnl: number;
                winRate: number | null;
            }[];
            correlation: {
                symbols: string[];
                values: (number | null)[][];
                mean: number | null;
            };
            /** @description The newest 1000 by close; `trade_count` counts all. */
            trades: {
                /** @enum {string} */
                side: "LONG" | "SHORT";
                entryIndex: number;
                exitIndex: number;
                entryTimeMs: number;
                exitTimeMs: number;
                entryPrice: number;
                exitPrice: number;
                quantity: number;
                /** @enum {string} */
                closeReason: "TP" | "SL" | "LIQ" | "END" | "TIME" | "SIGNAL" | "RULE";
                grossPnl: number;
                fees: number;
                funding: number;
                slippage: number;
                netPnl: number;
                returnOnMargin: number;
                isAmbiguous: boolean;
                adverseExcursionFraction: number;
                favourableExcursionFraction: number;
                stopLossPrice: number;
                takeProfitPrice: number;
                liquidationPrice: number | null;
                margin: number;
                symbol: string;
                exitStep: number;
            }[];
            trade_count: number;
            skips: components["schemas"]["PortfolioSkips"];
            left_out: components["schemas"]["PortfolioLeftOut"];
            /** @description Symbols whose fundings did not load: none are charged. */
            funding_missing: string[];
            /** @description Symbols without leverage tiers: one maintenance rate at every size. */
            tiers_unknown: string[];
            /** @description No symbol of the run has been delisted. */
            survivors_only: boolean;
            survivors_text: string;
            /** @description Day whose stored list the symbols come from, those delisted since included; null: of today, or named. */
            universe_day: string | null;
            /** @description Return without the delisted symbols minus that with them; null with the reason. */
            survivor_bias: {
                return_fraction: number | null;
                reason: string | null;
            };
            honesty: components["schemas"]["HonestyVerdict"] | null;
            hashes: components["schemas"]["Hashes"];
        };
        RunResponse: {
            /** @description Net USDT after fees and funding; the same as `netPnl`. */
            pnl: number;
            /** @description Number of trades; the trades themselves are in `tradeList`. */
            trades: number;
            /** @description Largest fall of mark-to-market equity from its peak, a fraction. */
            maxDrawdown: number;
            /** @description The parameters of this result. */
            bestParams: components["schemas"]["StrategyParams"];
            /** @description Profit of all trades after slippage, fees and funding, in USDT. Formula: net = gross PnL - fees - funding. */
            netPnl: number;
            /** @description Net PnL with the stop first in every bar that reaches both. The default. */
            pessimisticNetPnl: number;
            /** @description Net PnL with the target first in every bar that reaches both. The truth is mostly between the two bounds. */
            optimisticNetPnl: number;
            /** @description Share of trades with a net PnL above 0. Small targets raise it: check the expectancy too. Formula: winners / trades. None when: no trade. */
            winRate: number | null;
            /** @description Closed trades, one at a time. A trade open at the last candle closes there as END. */
            tradeCount: number;
            /** @description Largest fall of mark-to-market equity from its peak, open positions included. Highlighted above 10 %. Formula: max((peak - equity) / peak). */
            maxDrawdownFraction: number;
            /** @description Mean daily return over its deviation, per year. Uses UTC days; needs 30. Formula: mean / sample deviation x sqrt(365). None when: less than 30 days, no variation, or an equity that was used up. */
            sharpe: components["schemas"]["Statistic"];
            /** @description Like the Sharpe ratio, with losing days as the risk. Formula: mean / downside deviation x sqrt(365). None when: less than 30 days, no variation, or an equity that was used up, or no day that lost. */
            sortino: components["schemas"]["Statistic"];
            /** @description Net winnings over net losses. Above 1 is profitable; needs a losing trade. Formula: sum of wins / sum of losses. None when: no losing trade. */
            profitFactor: number | null;
            /** @description Average net PnL of a trade, in USDT. Formula: net PnL / trades. None when: no trade. */
            expectancy: number | null;
            /** @description Share of the scored candles with an open position. */
            exposureFraction: number;
            /** @description All entry and exit fees, in USDT. A liquidation fee is part of its lost margin. Formula: sum of notional x rate. */
            fees: number;
            /** @description Trades whose exit bar reached both the target and the stop or liquidation price. The loss counts unless target first is set. */
            ambiguousFraction: number;
            /** @description Return of buying the same size at the start and selling at the end, fees included, on the start equity. */
            buyAndHoldFraction: number;
            /** @description Price gains at the fills, slippage included, before fees and funding. Formula: sum of (exit - entry) x side x quantity. */
            grossPnl: number;
            /** @description Cost of filling worse than the chart price. */
            slippage: number;
            /** @description Payments between longs and shorts while holding. Longs pay a positive rate. Formula: side x quantity x mark x rate. */
            funding: number;
            /** @description Candle in which the equity was used up. Trading stops there. None when: the equity was never used up. */
            ruinIndex: number | null;
            /** @description Missing candles in the loaded window; never filled in. */
            gapCount: number;
            /** @description Candles missing in the gaps. */
            missingCandleCount: number;
            /** @description All candles of the run, warm-up included. */
            loadedCount: number;
            /** @description Candles the run trades on, the newest. All figures use them. */
            scoredCount: number;
            /** @description Closed long trades. */
            longCount: number;
            /** @description Closed short trades. */
            shortCount: number;
            /** @description Trades whose liquidation price came before or at the stop. */
            stopBeyondLiquidationCount: number;
            /** @description False when funding is assumed, off, absent, or has a gap above 8 hours. */
            isFundingKnown: boolean;
            /** @description Unfilled signals: no volume in the next candle, size below the minimum, or too little equity. */
            droppedSignalCount: number;
            /** @description Signals during an open position. One position at a time. */
            skippedSignalCount: number;
            /** @description Positions the exchange closed for lack of margin. Each loses its whole margin. */
            liquidationCount: number;
            /** @description Trades closed only because the data ended. */
            forcedCloseCount: number;
            /** @description Why signals were not filled: no volume, below the minimum size, equity left does not cover the smallest order. */
            droppedSignals: {
                noVolume: number;
                tooSmall: number;
                marginShort: number;
            };
            /** @description UTC days with a scored candle, for the daily figures. */
            dayCount: number;
            /** @description Compounded yearly growth at this pace. Needs 30 days. Formula: (end equity / start equity)^(365 / days) - 1. None when: less than 30 days, or an equity that was used up. */
            annualReturnFraction: number | null;
            /** @description Price change from the first scored open to the last close. Formula: last close / first open - 1. */
            marketChangeFraction: number;
            /** @description Yearly return that is independent of the market's moves. Formula: (mean daily return - beta x mean daily market return) x 365. None when: less than 30 days, or an equity that was used up, or a market that did not move. */
            alphaFraction: number | null;
            /** @description How equity moves with the market: 1 like a full long, 0 independent, below 0 against it. Formula: covariance(daily return, market return) / variance(market return). None when: less than 30 days, or an equity that was used up, or a market that did not move. */
            beta: number | null;
            /** @description Largest daily return of mark-to-market equity, by UTC days. None when: the equity was used up. */
            bestDayFraction: number | null;
            /** @description Smallest daily return of mark-to-market equity, by UTC days. None when: the equity was used up. */
            worstDayFraction: number | null;
            /** @description UTC days with a gain. None when: the equity was used up. */
            wonDayCount: number | null;
            /** @description UTC days with unchanged equity. None when: the equity was used up. */
            flatDayCount: number | null;
            /** @description UTC days with a loss. None when: the equity was used up. */
            lostDayCount: number | null;
            /** @description Simple yearly net profit per unit of max drawdown. Formula: (net PnL / start equity) x (365 / days) / max drawdown. None when: less than 30 days, or no drawdown. */
            calmar: number | null;
            /** @description All daily gains over all daily losses. Above 1 is profitable. Formula: sum of daily gains / sum of daily losses. None when: less than 30 days, or an equity that was used up, or no day that lost. */
            omega: number | null;
            /** @description Largest fall of mark-to-market equity from its peak, in USDT. Formula: max(peak - equity). */
            maxDrawdownUsdt: number;
            /** @description Largest fall of equity with every held candle at its worst price, costs included. An exit candle counts at its open. Formula: max((peak - equity at the worst price) / peak). */
            intrabarDrawdownFraction: number;
            /** @description Most candles in a row below the equity peak. May still last. */
            longestUnderwaterCandles: number;
            /** @description Share of scored candles below the equity peak. */
            underwaterFraction: number;
            /** @description Mean trade over its deviation, times the root of the number of trades. Formula: mean / sample deviation x sqrt(trades). None when: fewer than 30 trades, or no variation. */
            sqn: number | null;
            /** @description How often independent trades without an edge look this good, if this were the only set tried. Honesty counts the others. Formula: P(T >= SQN), Student t with trades - 1 degrees of freedom. None when: fewer than 30 trades, or no variation. */
            meanPValue: number | null;
            /** @description Risk share for the fastest growth at exactly these rates. Treat it as a ceiling. Below 0: do not trade. Formula: win rate - (1 - win rate) / payoff ratio. None when: fewer than 30 trades, no winner, or no loser. */
            kellyFraction: number | null;
            /** @description Share of the long trades with a net PnL above 0. None when: no long trade. */
            winRateLong: number | null;
            /** @description Share of the short trades with a net PnL above 0. None when: no short trade. */
            winRateShort: number | null;
            /** @description Mean net PnL of the trades that won. None when: no winning trade. */
            averageWin: number | null;
            /** @description Mean net PnL of the trades that lost. None when: no losing trade. */
            averageLoss: number | null;
            /** @description Average win for each unit of the average loss. Formula: average win / average loss. None when: no winner, or no loser. */
            payoffRatio: number | null;
            /** @description Average net PnL of a trade per unit of average loss. Formula: expectancy / average loss. None when: no losing trade. */
            expectancyRatio: number | null;
            /** @description Largest net PnL of a trade. None when: no trade. */
            bestTrade: number | null;
            /** @description Smallest net PnL of a trade. None when: no trade. */
            worstTrade: number | null;
            /** @description Most trades in a row with a net PnL above 0. */
            winsInARow: number;
            /** @description Most trades in a row with a net PnL below 0. */
            lossesInARow: number;
            /** @description Mean candles from entry to exit of the trades that won. 0: out in the candle of the entry. None when: no winning trade. */
            candlesHeldByWinners: number | null;
            /** @description Mean candles from entry to exit of the trades that lost. 0: out in the candle of the entry. None when: no losing trade. */
            candlesHeldByLosers: number | null;
            /** @description Largest share of a candle's turnover in one fill. Above a few percent it moves the price. Formula: quantity x price / (volume x close of the candle of the fill). None when: no trade, or candles without volume. */
            turnoverShareLargest: number | null;
            /** @description Median share of a candle's turnover per fill, entries and exits. None when: no trade, or candles without volume. */
            turnoverShareMedian: number | null;
            /** @description Trades with a fill above 1 % of its candle's turnover. */
            largeFillTradeCount: number;
            /** @description Entries capped by your turnover limit. */
            limitedEntryCount: number;
            /** @description Trades with the largest market order of the exchange (`maxQuantity`), which the settings may exceed. */
            largestOrders: number;
            /** @description Trades that are smaller than set because the account could not pay for more, and when the first was opened (epoch ms); null: none. */
            sizesCut: {
                count: number;
                fromMs: number;
            } | null;
            tradeList: components["schemas"]["Trade"][];
            /** @description Mark-to-market equity at the close of each scored candle, USDT. */
            equity: number[];
            /** @description Score of each scored candle, null while a vote warms up. */
            score: (number | null)[];
            /** @description SHA-256 of the engine file, the input columns, the parameters with costs, and the result. */
            hashes: {
                engine: string;
                data: string;
                params: string;
                result: string;
            };
            /**
             * Format: uuid
             * @description Id of the stored run.
             */
            id: string;
            symbol: string | null;
            /** @description Where the candles came from; null for your own. */
            exchange: components["schemas"]["ExchangeName"] | null;
            interval: components["schemas"]["IntervalName"];
            /** Format: date-time */
            first_candle_at: string;
            /** Format: date-time */
            last_candle_at: string;
            /** @description Last rows of your own `candles` left out because they have not closed. Candles that all end in the future, such as generated ones, run as they are, and this says so. null: all have closed. */
            leftOut: string | null;
            /** @description Applied order rules; null: none. Smaller orders are in `droppedSignals.tooSmall`. */
            contract: components["schemas"]["AppliedContract"] | null;
            /** @description Why mark prices or minute candles are missing this time; run again. null: all available ones were used; a run takes 60,000 minutes at most. */
            fineDataProblem: string | null;
            /** @description With `honesty: true`. */
            honesty?: components["schemas"]["HonestyVerdict"];
            /** @description Candles of the run that the exchange sent with other values later, in both versions. Newest 50. */
            revisions: components["schemas"]["HistoryRevision"][];
            /** @description The rules of the run; `bestParams` is then ignored. */
            strategy?: components["schemas"]["StoredStrategy"];
        };
        SandboxClockRequestInput: {
            /**
             * @description Return to the start, without plan, invoices and messages.
             * @default false
             */
            restart?: boolean;
            /**
             * @description Buy this plan before the clock moves.
             * @enum {string}
             */
            buy_plan?: "STARTER" | "PRO" | "BUSINESS";
            /** @description Open a USDT invoice before the clock moves. */
            invoice?: components["schemas"]["SandboxInvoiceRequestInput"];
            /** @default 0 */
            advance_minutes?: number;
            /** @description Post each message there, in order, signed with the secret of the published test vectors. */
            webhook_url?: string;
        };
        SandboxClockResponse: {
            /** Format: date-time */
            now: string;
            /** Format: date-time */
            starts_at: string;
            /** Format: date-time */
            ends_at: string;
            plan: {
                name: string;
                expires_at: components["schemas"]["InstantOrNull"];
            };
            invoices: components["schemas"]["SandboxInvoice"][];
        };
        SandboxDelivery: {
            /** @description Messages accepted; the first rejected one ends the delivery. */
            delivered: number;
            failure: string | null;
        };
        SandboxInvoice: {
            /** Format: uuid */
            payment_id: string;
            credits: number;
            /** @enum {string} */
            status: "PENDING" | "COMPLETED" | "EXPIRED";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        SandboxInvoiceRequestInput: {
            credits: number;
            /**
             * @description When the money arrives; null: never, so that the invoice expires.
             * @default null
             */
            paid_after_minutes?: number | null;
        };
        SandboxMessage: {
            /** @description The header `webhook-id`. */
            id: string;
            event: string;
            /** @description The exact body, with the time of the sandbox. */
            body: string;
        };
        SandboxMoveResponse: {
            /** Format: date-time */
            now: string;
            /** Format: date-time */
            starts_at: string;
            /** Format: date-time */
            ends_at: string;
            plan: {
                name: string;
                expires_at: components["schemas"]["InstantOrNull"];
            };
            invoices: components["schemas"]["SandboxInvoice"][];
            /** @description What happened meanwhile, oldest first. */
            messages: components["schemas"]["SandboxMessage"][];
            /** @description Null without `webhook_url`. */
            delivery: components["schemas"]["SandboxDelivery"] | null;
        };
        SaveStrategyBodyInput: {
            name: string;
            value?: components["schemas"]["StrategyInput"];
            /** @description Own rules as text in place of `value`, with `interval`: `long when rsi(14) < 30`. */
            rules?: components["schemas"]["RulesText"];
            /** @description Interval of the candles on which `rules` decide. */
            interval?: components["schemas"]["IntervalName"];
        };
        SavedRun: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            created_at: string;
            symbol: string;
            interval: string;
            params: components["schemas"]["StrategyParams"];
            setup: components["schemas"]["BacktestSetup"];
            best: {
                [key: string]: number | string | boolean | null;
            };
            /** @description The rules of the run; `params` is then ignored. null: a run of `params`. */
            strategy: components["schemas"]["StoredStrategy"] | null;
            /** @description At most 240 evenly spaced values of the scored window, USDT. */
            equity: number[];
            hashes: components["schemas"]["Hashes"];
        };
        SavedRunsResponse: {
            /** @description Named runs, newest first. */
            runs: components["schemas"]["SavedRun"][];
        };
        SavedState: {
            symbol: string;
            interval: components["schemas"]["IntervalName"];
            params: components["schemas"]["StrategyParams"];
            /**
             * @description The rules of the run; null: a run of `params`.
             * @default null
             */
            strategy: components["schemas"]["StoredStrategy"] | null;
            /** @default null */
            optimize: components["schemas"]["OptimizeSettings"] | null;
            /** @default null */
            metrics: {
                [key: string]: number | string | boolean | null;
            } | null;
            /** Format: date-time */
            updated_at: string;
        };
        SavedStateBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            params: components["schemas"]["StrategyParamsInput"];
            /**
             * @description The rules of the run; null: a run of `params`.
             * @default null
             */
            strategy?: components["schemas"]["StrategyInput"] | null;
            /** @default null */
            optimize?: components["schemas"]["OptimizeSettingsInput"] | null;
            /** @default null */
            metrics?: {
                [key: string]: number | string | boolean | null;
            } | null;
        };
        SavedStateResponse: {
            /** @description null when nothing is saved. */
            state: components["schemas"]["SavedState"] | null;
        };
        SavedStrategyResponse: {
            /** @description By name, at most 50. */
            strategies: {
                /** Format: uuid */
                id: string;
                name: string;
                /** @description SHA-256 of the canonical JSON: ordered keys, without votes of weight 0 and default parameters. */
                version: string;
                value: components["schemas"]["StoredStrategy"];
                /** @description Used by scans and automatic opening. */
                is_used: boolean;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
            }[];
            /** @description Strategy of scans and automatic opening. */
            used: components["schemas"]["StrategyName"];
            /** @description Recent signals of the sent value; null without a value, for intervals scans do not read, or without candles within 20 s. */
            recent: components["schemas"]["RecentSignals"] | null;
        };
        Scan: {
            /** Format: uuid */
            scan_id: string;
            status: components["schemas"]["ScanStatus"];
            /** Format: date-time */
            created_at: string;
            finished_at: components["schemas"]["InstantOrNull"];
            params: components["schemas"]["ScanParams"];
            results: components["schemas"]["ScanResults"] | null;
            /** @description Why it failed; its credit was returned. */
            failure: string | null;
        };
        ScanBodyInput: {
            /** @description The whole universe within your filters when absent. */
            symbols?: components["schemas"]["SymbolName"][];
            /** @description Ignored with a saved strategy, which has its own. */
            intervals?: ("15m" | "1h" | "4h")[];
            /**
             * @description Closed candles of each interval; more are read where the votes look back further.
             * @default 500
             */
            limit?: components["schemas"]["CandleLimit"];
            balance?: components["schemas"]["Balance"];
            leverage?: components["schemas"]["Leverage"];
            riskTolerance?: components["schemas"]["RiskTolerance"];
        };
        ScanParams: {
            exchange: components["schemas"]["ExchangeName"];
            symbols: string[] | null;
            intervals: ("15m" | "1h" | "4h")[];
            limit: number;
            balance: number;
            leverage: number;
            riskTolerance: components["schemas"]["RiskTolerance"];
            isDynamicRisk: boolean;
            /** @description Position sizing settings of that time. Absent in older scans. */
            sizing?: {
                /** @enum {string} */
                mode: "risk" | "fixed";
                riskFraction: number;
                baseUsdt: number;
                /** @description Equity not used as margin. */
                freeUsdt: number;
                /** @description Your own stop in percent; null: the stop of the signal. */
                ownStopPct: number | null;
            };
            tuning: components["schemas"]["Tuning"];
            /** @description The saved strategy that decides, with its own intervals. Absent: Live rules with `tuning`. */
            strategy?: {
                /**
                 * Format: uuid
                 * @description Absent in older scans.
                 */
                id?: string;
                /** @description `Live rules` is built in. */
                name: string;
                /** @description SHA-256 of the canonical JSON of a saved strategy. */
                version: string;
                value: components["schemas"]["StoredStrategy"];
            };
            confidenceFloor: number | null;
            minConfidencePct: number;
            /** @description Whether `minConfidencePct` applies to the score of a saved strategy. Absent in older scans. */
            isScoreHeld?: boolean;
            positionsWanted: number;
            maxSymbols: number;
            whitelist: string[];
            blacklist: string[];
        };
        ScanResponse: {
            scan: components["schemas"]["Scan"];
        };
        ScanResults: {
            /** @description The first of `all` that opened or may open; null: none may. */
            best: components["schemas"]["ScanSignal"] | null;
            /** @description Signals by confidence, best first, at most 500. */
            all: components["schemas"]["ScanSignal"][];
            /** @description Signals found, shown or not. */
            total: number;
            /** @description Candidates by outcome. */
            outcomes: {
                [key: string]: number;
            };
            /** @description Age of the oldest candles when the scan was done. */
            data_age_ms: number;
            /** @description Series without valid candles from the exchange. */
            missing: string[];
            /** @description Basis of the confidence, per interval. */
            confidence: components["schemas"]["ConfidenceBasis"][];
            timing: {
                candles_ms: number;
                engine_ms: number;
                total_ms: number;
            };
            /** @description `signal_id` of the results with an included AI check, in the order to request them. */
            to_check: string[];
            /** @description false: too old; only the best result and the counts remain. */
            is_complete: boolean;
        };
        ScanSignal: {
            symbol: string;
            interval: string;
            exchange: components["schemas"]["ExchangeName"];
            /** @enum {string} */
            direction: "LONG" | "SHORT" | "NEUTRAL";
            /** @description Used for display, gating and ranking; see `confidence_kind`. */
            confidence: number;
            confidence_kind: components["schemas"]["ConfidenceKind"];
            /** @description Raw value, shown as score: 1 - (1 - |score|)^2. Not a probability. */
            raw_confidence: number;
            /** @description null: `confidence` is the score. */
            calibration_version: number | null;
            /** @description Break-even win chance of target and stop after fees; null without levels. */
            break_even: number | null;
            /** @description Expected result after fees, a signed fraction of the entry price. null: not measured yet. */
            expected_net_fraction: number | null;
            /** @description The same for `position`. */
            expected_net_usdt: number | null;
            /** @description Win chance after fees from replayed and live outcomes; null: too few of both, or NEUTRAL. */
            chance: number | null;
            /** @description Independent outcomes behind `chance`. */
            chance_n: number | null;
            /** @description `replayed`: Live rules on stored candles; `live`: signals as recorded; `mixed`: both. */
            chance_origin: ("live" | "replayed" | "mixed") | null;
            /** @description Expected result after fees by `chance`; 2 is 2 % of the entry price. */
            expected_net_pct: number | null;
            /** @description Weighted votes: -1 all SHORT, 1 all LONG. */
            score: number;
            /** @description Close of the last closed candle. */
            price: number;
            /** @description null when NEUTRAL. */
            stopLoss: number | null;
            takeProfit: number | null;
            /**
             * @description By the distance of the stop.
             * @enum {string}
             */
            riskLabel: "LOW" | "STANDARD" | "HIGH" | "EXTREME";
            /** @description Expected minutes until stop or target without drift. */
            horizon_min: number | null;
            position: components["schemas"]["SignalPosition"];
            meta: {
                rsi: number | null;
                macd: number | null;
                atr: number | null;
            };
            /**
             * @description `online`: a model is set up, not called yet; `approved`, `rejected`: its verdict; `offline`: no model is set up, or it gave no verdict.
             * @enum {string}
             */
            ai_state: "online" | "approved" | "rejected" | "offline";
            /** @description With `offline` and no model: result of the built-in rules, which gate opening like an AI check. null where a model judges. */
            rule_check: ("not_run" | "passed" | "not_passed") | null;
            /** @description A model's verdict; null without one. */
            aiApproved: boolean | null;
            aiRationale: string | null;
            aiProposal: components["schemas"]["AiProposal"] | null;
            suggestedRiskMultiplier: number | null;
            live_votes: number;
            /** @description Effective number of independent votes. */
            effective_votes: number;
            /** @description Contribution of each vote; they sum to the score. */
            contributions: {
                vote: string;
                interval: string;
                opinion: number;
                is_live: boolean;
                contribution: number;
            }[];
            /** @description Absent without stories. */
            news?: components["schemas"]["NewsSay"];
            timeframes: {
                interval: string;
                weight: number;
                score: number | null;
            }[];
            /** Format: date-time */
            candle_close_at: string;
            /** Format: date-time */
            computed_at: string;
            hashes: components["schemas"]["SignalHashes"];
            /**
             * Format: uuid
             * @description Its row in the public record.
             */
            signal_id: string;
            /**
             * @description `ELIGIBLE` may open; other values say why not.
             * @enum {string}
             */
            outcome: "ELIGIBLE" | "NEUTRAL" | "LOW_CONF" | "ZERO_QTY" | "NO_MATCH";
            filtered_by: string | null;
            /** @description Current outcome of scan, check and opening, as shown on all pages. */
            verdict: {
                /**
                 * @description `check_due`: it may open after its check passes; `waiting`: it opens if a better signal of the scan does not.
                 * @enum {string}
                 */
                state: "opened" | "may_open" | "check_due" | "waiting" | "refused";
                /** @description The first rule it fails by the settings, guards and open positions of this moment: `filtered_by`, or `detail` of a skip; beside `may_open`, why it opens by hand only. null: none. */
                reason: string | null;
                text: string;
            };
        };
        ScanStarted: {
            /** Format: uuid */
            scan_id: string;
            status: components["schemas"]["ScanStatus"];
            /** @description Balance after reserving one credit. */
            credits: number;
        };
        /** @enum {string} */
        ScanStatus: "queued" | "running" | "done" | "failed" | "cancelled";
        ScoreboardResponse: {
            /** @description Of `engine`; the other blocks are live. */
            origin: components["schemas"]["Origin"];
            /** @description null: `live`, or nothing replayed yet. */
            replay: components["schemas"]["Replay"] | null;
            /**
             * @description Only signals of this market are counted.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            confidence: components["schemas"]["ConfidenceReport"];
            /** @description Every signal ever recorded here, losers included. */
            engine: components["schemas"]["SignalRecord"];
            /** @description Signals an AI model approved without soft approval before the next candle of their interval had closed, each counted once; null before the first. */
            ai_check: components["schemas"]["SignalRecord"] | null;
            /** @description Value of all AI verdicts compared with a random veto of the same rate. */
            ai_value: components["schemas"]["AiValue"][];
            /** @description The newest 50, winners and losers alike. */
            newest: components["schemas"]["PublicSignal"][];
        };
        Search: {
            /** Format: uuid */
            search_id: string;
            status: components["schemas"]["SearchStatus"];
            /** Format: date-time */
            created_at: string;
            /** @description Run time so far, or until it ended. */
            elapsed_ms: number | null;
            finished_at: components["schemas"]["InstantOrNull"];
            symbol: string;
            /** @description The symbol, or what the own candles are called. */
            label: string | null;
            interval: string;
            /**
             * @description Sets of `params`, or of a `strategy`.
             * @enum {string}
             */
            kind: "classic" | "rules";
            samples: number;
            /** @description Samples run with the minutes loaded so far. */
            done: number;
            /**
             * @description Current or last phase. `looking`: samples run without minutes to find those needed; `loading`: these are loaded; `searching`: samples run with them.
             * @enum {string}
             */
            stage: "looking" | "loading" | "searching";
            /** @description Candles whose minutes are used or loading; null: none. */
            minute_candles: number | null;
            /** @description Why it failed. */
            failure: string | null;
            /** @description null for older searches. */
            request: components["schemas"]["SearchRequest"] | null;
            result: components["schemas"]["SearchResult"] | null;
        };
        SearchPortfolioBodyInput: {
            /**
             * @description Values that sets are drawn from; absent ones stay. A factor multiplies the stop or target of the strategy. Own rules have their other ranges in their text: fast = 12 [5..50 step 1].
             * @default {}
             */
            ranges?: {
                entryThreshold?: {
                    min: number;
                    max: number;
                };
                stopFactor?: {
                    min: number;
                    max: number;
                };
                targetFactor?: {
                    min: number;
                    max: number;
                };
                positionsMax?: {
                    min: number;
                    max: number;
                };
                openingsMax?: {
                    min: number;
                    max: number;
                };
            };
            /**
             * @description Sets in all, yours among them.
             * @default 200
             */
            samples?: number;
            /** @default 1 */
            seed?: number;
            /**
             * @default pnl
             * @enum {string}
             */
            target?: "pnl" | "sharpe" | "sortino" | "profitFactor";
            run: components["schemas"]["RunPortfolioBodyInput"];
            /**
             * Format: uuid
             * @description Events `portfolio_search` report the progress under this id.
             */
            progressId?: string;
        };
        SearchPortfolioResponse: {
            exchange: components["schemas"]["ExchangeName"];
            interval: components["schemas"]["IntervalName"];
            strategy_name: string | null;
            /** @description At the start of either span, USDT. */
            equity: number;
            /** @description The first 70 % of the candles. */
            train: {
                /** @description Epoch ms. */
                from: number;
                to: number;
                candles: number;
            };
            unseen: {
                /** @description Epoch ms. */
                from: number;
                to: number;
                candles: number;
            };
            samples: number;
            seed: number;
            /** @enum {string} */
            target: "pnl" | "sharpe" | "sortino" | "profitFactor";
            /** @description Sets with at least 10 trades and the figure of the target. */
            ranked: number;
            /** @description null: no set was ranked. */
            best: components["schemas"]["PortfolioSetResult"] | null;
            own: components["schemas"]["PortfolioSetResult"];
            /** @description The best sets, best first. */
            leaders: components["schemas"]["PortfolioSetResult"][];
            honesty: components["schemas"]["HonestyVerdict"] | null;
            left_out: components["schemas"]["PortfolioLeftOut"];
        };
        /** @description The request: set 0, the search and its candles. */
        SearchRequest: {
            params: components["schemas"]["StrategyParams"];
            /** @description Set 0 of a rules search; `params` is then ignored. */
            strategy?: components["schemas"]["StoredStrategy"];
            optimize: components["schemas"]["OptimizeOptions"];
            setup: components["schemas"]["BacktestSetup"];
            /** @description Why mark prices are missing; the last price decides liquidations. Start it again. */
            markPricesProblem?: string;
        };
        SearchResponse: {
            search: components["schemas"]["Search"];
        };
        SearchResult: {
            best: components["schemas"]["BestRun"];
            target: components["schemas"]["OptimizeTarget"];
            seed: number;
            /** @description Loaded candles [start, end). */
            train: {
                start: number;
                end: number;
            };
            /** @description Sets tried: samples and refinements, of own rules at most the sets of their ranges. */
            trialCount: number;
            /** @description The best samples, best first. */
            leaders: {
                index: number;
                params: components["schemas"]["StrategyParams"];
                /** @description The set of a rules search; `params` is then ignored. */
                strategy?: components["schemas"]["StoredStrategy"];
                /** @description Value of each parameter of own rules with a range, by name. */
                values?: {
                    [key: string]: number;
                };
                value: number;
            }[];
            walkForward?: components["schemas"]["WalkForwardResult"];
            /** @description For a symbol, or one in `minutesOf`: minutes settle exits whose candle holds stop and target of some set. Elsewhere `costs.sameBar` decides. */
            minutes?: {
                /** @description Candles resolved by minutes in every set. */
                candles: number;
                /** @description Ambiguous candles without complete minutes at the exchange. */
                absent: number;
                /** @description Ambiguous candles beyond the 60,000 minutes of a search, or not loaded. */
                beyond: number;
                /** @description Why minutes could not be loaded; with `beyond` 0, those of the walk-forward alone. */
                problem: string | null;
                /** @description For a search job: open times of candles resolved by minutes in every set, epoch ms. */
                opens?: number[];
            };
            /** @description SHA-256 over result, trades and value of every set; the same in any browser. */
            trialsHash: string;
        };
        /** @enum {string} */
        SearchStatus: "queued" | "running" | "done" | "failed" | "cancelled";
        SearchesResponse: {
            /** @description The newest first. */
            searches: {
                /** Format: uuid */
                search_id: string;
                status: components["schemas"]["SearchStatus"];
                /** Format: date-time */
                created_at: string;
                /** @description Run time so far, or until it ended. */
                elapsed_ms: number | null;
                finished_at: components["schemas"]["InstantOrNull"];
                symbol: string;
                /** @description The symbol, or what the own candles are called. */
                label: string | null;
                interval: string;
                /**
                 * @description Sets of `params`, or of a `strategy`.
                 * @enum {string}
                 */
                kind: "classic" | "rules";
                samples: number;
                /** @description Samples run with the minutes loaded so far. */
                done: number;
                /**
                 * @description Current or last phase. `looking`: samples run without minutes to find those needed; `loading`: these are loaded; `searching`: samples run with them.
                 * @enum {string}
                 */
                stage: "looking" | "loading" | "searching";
                /** @description Candles whose minutes are used or loading; null: none. */
                minute_candles: number | null;
                /** @description Why it failed. */
                failure: string | null;
            }[];
        };
        SecretResponse: {
            /** @description Signs every message (Standard Webhooks). Shown once; null: the existing secret stays. */
            secret: string | null;
        };
        SecurityResponse: {
            /** @description False for a demo account. */
            has_password: boolean;
            two_factor: boolean;
            recovery_codes_left: number;
            /** @description Requested, not confirmed yet. */
            pending_email: string | null;
        };
        SendHelpRequest: {
            text: string;
        };
        SessionResponse: {
            user: components["schemas"]["User"];
            /** @description For API clients: `Authorization: Bearer <token>`. Shown once. */
            token: string;
            /** Format: date-time */
            expires_at: string;
        };
        SessionsResponse: {
            sessions: {
                /** Format: uuid */
                id: string;
                user_agent: string | null;
                ip: string | null;
                /** Format: date-time */
                created_at: string;
                /**
                 * Format: date-time
                 * @description To the minute.
                 */
                last_seen_at: string;
                is_current: boolean;
            }[];
        };
        /** @description Threshold and levels in place of those of the strategy; of own rules values alone. */
        SetLevels: {
            /** @description Least absolute score that is a signal. */
            entryThreshold?: number;
            stop?: {
                /** @constant */
                mode: "percent";
                /** @description Distance of the stop from the fill, a fraction. */
                fraction: number;
            } | {
                /** @constant */
                mode: "atr";
                /** @description Distance of the stop in average true ranges of the deciding candle. */
                multiple: number;
            };
            target?: {
                /** @constant */
                mode: "percent";
                /** @description Distance of the target from the fill, a fraction. */
                fraction: number;
            } | {
                /** @constant */
                mode: "atr";
                /** @description Distance of the target in average true ranges of the deciding candle. */
                multiple: number;
            };
            values?: components["schemas"]["RuleValues"];
        };
        /** @description Content of a shared link, with settled fundings. */
        SharedBacktestBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
            interval: components["schemas"]["IntervalName"];
            /** @description Candles loaded. */
            limit: number;
            /** @description Epoch ms: only candles closed by then. */
            endTime: number;
            scored: number;
            params: components["schemas"]["StrategyParamsInput"];
            /** @description A strategy of rules; `params` is then ignored. */
            strategy?: components["schemas"]["StrategyInput"];
            costs: {
                /** @default 0.0005 */
                takerFeeFraction?: number;
                /** @default 0.0002 */
                makerFeeFraction?: number;
                /** @default 0.0001 */
                slippageFraction?: number;
                /** @default 0.0002 */
                stopSlippageFraction?: number;
                /** @default 1000 */
                initialEquity?: number;
                /** @default 1000 */
                notional?: number;
                /** @default 10 */
                leverage?: number;
                /** @default 0.005 */
                maintenanceMarginFraction?: number;
                /**
                 * @description What longs pay at each assumed funding, a fraction of the notional.
                 * @default 0.0001
                 */
                assumedFundingFraction?: number;
                /**
                 * @default market
                 * @enum {string}
                 */
                takeProfitOrder?: "market" | "limit";
                /**
                 * @description What is charged: the settled rates, `assumedFundingFraction` at 0, 8 and 16 h UTC, or nothing.
                 * @default history
                 * @enum {string}
                 */
                fundingSource?: "history" | "assumed" | "off";
                /**
                 * @description What comes first in a candle that holds both stop and target.
                 * @default stop
                 * @enum {string}
                 */
                sameBar?: "stop" | "target";
                /** @enum {string} */
                liquidationModel?: "binance" | "bybit" | "okx";
                tiers?: components["schemas"]["LeverageTierInput"][];
                tickSize?: number;
                stepSize?: number;
                minNotional?: number;
                /** @description Largest market order, base units; 0: no limit. */
                maxQuantity?: number;
                /** @description Slippage that the size of a fill adds: so many volatilities of a candle times the square root of its share of the turnover; 0: none. */
                impactCoefficient?: number;
                /** @description Largest part of the turnover of a candle that an entry takes; 0: no limit. */
                turnoverShareMax?: number;
                /** @description Whose rules `tickSize`, `stepSize`, `minNotional`, `maxQuantity` and `tiers` are. Changes no figure. */
                rulesOf?: {
                    /** @enum {string} */
                    exchange: "binance" | "bybit" | "okx";
                    symbol: string;
                    /** @description The leverage that was set, where the exchange grants less at this size. */
                    leverageAsked?: number;
                    /** @description The tiers of the exchange are unknown; `tiers` holds the one maintenance rate and the limits that a run then has. */
                    areTiersAssumed?: boolean;
                };
            };
            /**
             * @description Run with mark prices and minute candles. Absent in older links.
             * @default false
             */
            fineData?: boolean;
        };
        SharedBacktestResponse: {
            /**
             * @description Only live data comes from a real exchange.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            exchange: components["schemas"]["ExchangeName"];
            /** @description Data of the run; a browser repeats it on the same candles. */
            candles: {
                time: number[];
                open: number[];
                high: number[];
                low: number[];
                close: number[];
                volume: number[];
            };
            /** @description Those of the longer intervals of a strategy, in its order. */
            context: {
                time: number[];
                open: number[];
                high: number[];
                low: number[];
                close: number[];
                volume: number[];
            }[];
            markPrices: {
                open: number[];
                high: number[];
                low: number[];
            } | null;
            /** @description Minutes that settled exits. */
            fineCandles: {
                time: number[];
                open: number[];
                high: number[];
                low: number[];
                close: number[];
                volume: number[];
            } | null;
            funding: {
                time: number[];
                rate: number[];
            } | null;
            hashes: components["schemas"]["Hashes"];
        };
        ShownResponse: {
            receipt: components["schemas"]["AlertReceipt"];
        };
        /** @enum {string} */
        Side: "LONG" | "SHORT";
        SignInRequestInput: {
            email: components["schemas"]["EmailInput"];
            password: string;
        };
        SignInResponse: components["schemas"]["SessionResponse"] | components["schemas"]["ChallengeResponse"];
        SignUpRequestInput: {
            email: components["schemas"]["EmailInput"];
            password: components["schemas"]["NewPassword"];
        };
        SignUpResponse: components["schemas"]["SessionResponse"] | components["schemas"]["ConfirmationSentResponse"];
        SignalHashes: {
            engine: string;
            data: string;
            params: string;
        };
        SignalPosition: {
            /** @description Notional of the simulated position. */
            sizeUsdt: number;
            sizeBase: number;
            leverage: number;
            /** @description The same as sizeBase. */
            qty: number;
            liquidationApprox: number | null;
            /** @description Net loss when the stop is hit, USDT, fees and slippage included. */
            loss_at_stop: number | null;
            /** @description Share of base x leverage the risk allows; 0: no size. */
            risk_multiplier: number;
            /** @description Why there is no size; null: there is one. */
            refused_by: ("quantity" | "min_notional" | "min_above_risk" | "margin_full") | null;
            /** @description The same in words. */
            message: string | null;
            /** @description Order rules of the exchange for the symbol; 0: no rule. */
            limits: {
                tick_size: number;
                step_size: number;
                min_notional: number;
                /** @description Largest market order, coins; absent in older scans. */
                max_quantity?: number;
                max_leverage: number | null;
            };
        };
        SignalRecord: {
            origin: components["schemas"]["Origin"];
            /** @description Recorded. */
            signals: number;
            /** @description Not resolved yet: neither won nor lost. */
            open: number;
            /** @description Overdue: a candle is missing or trading is halted. They may be losers. */
            overdue: number;
            resolved: number;
            tp: number;
            sl: number;
            /** @description The horizon passed before stop and target. */
            time: number;
            /** @description The exchange ended the contract: settled at the last price seen. */
            delisted: number;
            /** @description Resolved with a gain after fees. */
            won: number;
            /** @description Stop and target in one candle: counted as stopped. */
            ambiguous: number;
            hit_rate: number | null;
            hit_rate_interval: components["schemas"]["RateInterval"];
            /** @description Independent resolved signals: same symbol, direction and time count once. */
            independent_count: number;
            /** @description A fraction of the entry price: 0.02 is 2 %. */
            mean_net_fraction: number | null;
            /** @description A fraction of the entry price: 0.02 is 2 %. */
            total_net_fraction: number | null;
            calibration: components["schemas"]["Calibration"];
        };
        SignalResponse: {
            symbol: string;
            interval: string;
            exchange: components["schemas"]["ExchangeName"];
            /** @enum {string} */
            direction: "LONG" | "SHORT" | "NEUTRAL";
            /** @description Used for display, gating and ranking; see `confidence_kind`. */
            confidence: number;
            confidence_kind: components["schemas"]["ConfidenceKind"];
            /** @description Raw value, shown as score: 1 - (1 - |score|)^2. Not a probability. */
            raw_confidence: number;
            /** @description null: `confidence` is the score. */
            calibration_version: number | null;
            /** @description Break-even win chance of target and stop after fees; null without levels. */
            break_even: number | null;
            /** @description Expected result after fees, a signed fraction of the entry price. null: not measured yet. */
            expected_net_fraction: number | null;
            /** @description The same for `position`. */
            expected_net_usdt: number | null;
            /** @description Win chance after fees from replayed and live outcomes; null: too few of both, or NEUTRAL. */
            chance: number | null;
            /** @description Independent outcomes behind `chance`. */
            chance_n: number | null;
            /** @description `replayed`: Live rules on stored candles; `live`: signals as recorded; `mixed`: both. */
            chance_origin: ("live" | "replayed" | "mixed") | null;
            /** @description Expected result after fees by `chance`; 2 is 2 % of the entry price. */
            expected_net_pct: number | null;
            /** @description Weighted votes: -1 all SHORT, 1 all LONG. */
            score: number;
            /** @description Close of the last closed candle. */
            price: number;
            /** @description null when NEUTRAL. */
            stopLoss: number | null;
            takeProfit: number | null;
            /**
             * @description By the distance of the stop.
             * @enum {string}
             */
            riskLabel: "LOW" | "STANDARD" | "HIGH" | "EXTREME";
            /** @description Expected minutes until stop or target without drift. */
            horizon_min: number | null;
            position: components["schemas"]["SignalPosition"];
            meta: {
                rsi: number | null;
                macd: number | null;
                atr: number | null;
            };
            /**
             * @description `online`: a model is set up, not called yet; `approved`, `rejected`: its verdict; `offline`: no model is set up, or it gave no verdict.
             * @enum {string}
             */
            ai_state: "online" | "approved" | "rejected" | "offline";
            /** @description With `offline` and no model: result of the built-in rules, which gate opening like an AI check. null where a model judges. */
            rule_check: ("not_run" | "passed" | "not_passed") | null;
            /** @description A model's verdict; null without one. */
            aiApproved: boolean | null;
            aiRationale: string | null;
            aiProposal: components["schemas"]["AiProposal"] | null;
            suggestedRiskMultiplier: number | null;
            live_votes: number;
            /** @description Effective number of independent votes. */
            effective_votes: number;
            /** @description Contribution of each vote; they sum to the score. */
            contributions: {
                vote: string;
                interval: string;
                opinion: number;
                is_live: boolean;
                contribution: number;
            }[];
            /** @description Absent without stories. */
            news?: components["schemas"]["NewsSay"];
            timeframes: {
                interval: string;
                weight: number;
                score: number | null;
            }[];
            /** Format: date-time */
            candle_close_at: string;
            /** Format: date-time */
            computed_at: string;
            hashes: components["schemas"]["SignalHashes"];
            /** @enum {string} */
            market: "simulated" | "replay" | "live";
            /** @description Milliseconds since the exchange last confirmed the candles. */
            data_age_ms: number;
        };
        SignedOutResponse: {
            /** @constant */
            signed_out: true;
        };
        SizedSpread: {
            /** @description Cost of the bought leg, USDT; below the request where a book is thin. */
            notionalUsdt: number;
            /** @description Coins of each leg, rounded down to the step both exchanges accept. */
            quantity: number;
            /** @description Whether both books hold the whole notional, within one quantity step. */
            isFilled: boolean;
            /** @description Average price of the bought leg. */
            buyPrice: number;
            /** @description Average price of the sold leg. */
            sellPrice: number;
            /** @description Worst fill price of the bought leg. */
            buyWorstPrice: number;
            sellWorstPrice: number;
            /** @description Average against the best price, percent. */
            buySlippagePct: number;
            /** @description 2 is 2 %. */
            sellSlippagePct: number;
            /**
             * @description The leg with more slippage.
             * @enum {string}
             */
            worstLeg: "buy" | "sell" | "none";
            /** @description Spread of the average prices, percent of the bought leg. */
            grossPct: number;
            /** @description USDT. */
            grossUsdt: number;
            /** @description Taker fees of opening both legs. */
            feesInUsdt: number;
            /** @description Taker fees of closing both legs, at the mean of both average prices. */
            feesOutUsdt: number;
            /** @description Funding of both legs until `holdHours`: positive is paid, negative is received. Only what is paid is part of the net: a rate can change before it is settled. */
            fundingUsdt: number;
            /** @description 2 is 2 %. */
            netPct: number;
            /** @description gross - fees - funding paid, when the prices meet. Never above the gross. */
            netUsdt: number;
            /** @description Hours of received funding until the net breaks even; 0: already positive; null: never. */
            breakEvenHours: number | null;
        };
        SizingGuardState: {
            /** @enum {string} */
            name: "stops" | "exposure";
            is_on: boolean;
            limit: number | null;
            /** @description Used now, percent of the equity: loss at all open stops, or longs less shorts, negative when shorts prevail. Null: open positions without equity. */
            value: number | null;
        };
        /** @enum {string} */
        SkipDetail: "min_confidence" | "tuning_floor" | "quantity" | "min_notional" | "min_above_risk" | "margin_full" | "no_levels" | "price_moved" | "level_passed" | "liquidation_before_stop" | "ai_unchecked" | "ai_offline" | "ai_not_approved" | "rule_check_not_passed" | "blacklisted" | "not_whitelisted" | "same_symbol" | "positions_wanted" | "duplicate" | "max_concurrent" | "daily_loss_guard" | "stop_streak_guard" | "drawdown_guard" | "auto_open_off" | "not_traded" | "too_large" | "largest_order";
        /** @enum {string} */
        SkipReason: "NEUTRAL" | "LOW_CONF" | "ZERO_QTY" | "NO_MATCH";
        SkipsResponse: {
            /** @description Newest first. */
            skips: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                at: string;
                symbol: string;
                interval: string;
                side: components["schemas"]["Side"] | null;
                confidence: number | null;
                reason: components["schemas"]["SkipReason"];
                detail: components["schemas"]["SkipDetail"] | null;
                scan_id: string | null;
                /** @description In words, with the number that failed the rule. */
                message: string;
            }[];
        };
        /** @description Where sets are drawn from; the product's ranges where absent. min = max fixes a parameter. */
        Space: {
            /**
             * @description mixed: dense sets, sets of 1 to 5 votes and whole groups; dense: every parameter by itself.
             * @enum {string}
             */
            draw?: "mixed" | "dense";
            weight?: components["schemas"]["Range"];
            /** @description Ranges of single votes, by id, where they differ from weight. */
            weights?: {
                [key: string]: components["schemas"]["Range"];
            };
            entryThreshold?: components["schemas"]["Range"];
            slPct?: components["schemas"]["Range"];
            tpPct?: components["schemas"]["Range"];
            /** @enum {string} */
            trailing?: "off" | "on" | "either";
            callbackPct?: components["schemas"]["Range"];
            stepPct?: components["schemas"]["Range"];
        };
        /**
         * @description Badge of the gross spread: `high` at 0.5 % or more, `medium` at 0.2 % or more.
         * @enum {string}
         */
        SpreadBadge: "high" | "medium" | "low";
        SpreadHistoryResponse: {
            /** @description Length of a point. */
            stepMs: number;
            /** @description Mean gross spread of the best prices in each minute, oldest first; null: not sampled. */
            points: {
                atMs: number;
                grossPct: number | null;
            }[];
            fromMs: number;
            toMs: number;
        };
        /** @description With its 95 % interval; episodes of one hour are one draw. null: too few hours. */
        SpreadLeft: {
            mean: number | null;
            low: number | null;
            high: number | null;
        };
        SpreadPersistenceResponse: {
            /**
             * @description `edge`: the 95 % interval of the net spread 5 s later lies above zero. `no_edge`: it does not. `not_enough`: fewer episodes than needed.
             * @enum {string}
             */
            verdict: "not_enough" | "no_edge" | "edge";
            episodesNeeded: number;
            /** @description What is missing for a verdict. */
            missing: string | null;
            /** @description Net spread above which a pair is tracked. */
            thresholdPct: number;
            /** @description Seconds sampled within the days below. */
            sampledSeconds: number;
            sinceMs: number | null;
            /** @description How long episodes are stored. */
            days: number;
            /** @description Episodes beyond the limit of a day: counted, not stored. */
            notStored: number;
            overall: components["schemas"]["Persistence"];
            /** @description At most 50. */
            bySymbol: {
                symbol: string;
                /** @description Episodes: times the spread rose above the threshold. */
                episodes: number;
                /** @description Episodes among these still open when last seen; censored (Kaplan-Meier). */
                cutShort: number;
                medianLifetimeS: number | null;
                /** @description 95 % interval (Brookmeyer-Crowley, log-log). Null with fewer than 6 episodes, or while it is not reached yet. */
                medianLifetimeLowS: number | null;
                medianLifetimeHighS: number | null;
                /** @description Capture rate: share with a positive net spread that many seconds later. */
                captured: {
                    s1: components["schemas"]["EpisodeShare"];
                    s5: components["schemas"]["EpisodeShare"];
                    s30: components["schemas"]["EpisodeShare"];
                };
                /** @description Net spread that many seconds later, percent. */
                leftPct: {
                    s1: components["schemas"]["SpreadLeft"];
                    s5: components["schemas"]["SpreadLeft"];
                    s30: components["schemas"]["SpreadLeft"];
                };
            }[];
            byPair: {
                buy: components["schemas"]["ExchangeName"];
                sell: components["schemas"]["ExchangeName"];
                /** @description Episodes: times the spread rose above the threshold. */
                episodes: number;
                /** @description Episodes among these still open when last seen; censored (Kaplan-Meier). */
                cutShort: number;
                medianLifetimeS: number | null;
                /** @description 95 % interval (Brookmeyer-Crowley, log-log). Null with fewer than 6 episodes, or while it is not reached yet. */
                medianLifetimeLowS: number | null;
                medianLifetimeHighS: number | null;
                /** @description Capture rate: share with a positive net spread that many seconds later. */
                captured: {
                    s1: components["schemas"]["EpisodeShare"];
                    s5: components["schemas"]["EpisodeShare"];
                    s30: components["schemas"]["EpisodeShare"];
                };
                /** @description Net spread that many seconds later, percent. */
                leftPct: {
                    s1: components["schemas"]["SpreadLeft"];
                    s5: components["schemas"]["SpreadLeft"];
                    s30: components["schemas"]["SpreadLeft"];
                };
            }[];
            /** @description UTC. */
            byHour: {
                hour: number;
                /** @description Episodes: times the spread rose above the threshold. */
                episodes: number;
                /** @description Episodes among these still open when last seen; censored (Kaplan-Meier). */
                cutShort: number;
                medianLifetimeS: number | null;
                /** @description 95 % interval (Brookmeyer-Crowley, log-log). Null with fewer than 6 episodes, or while it is not reached yet. */
                medianLifetimeLowS: number | null;
                medianLifetimeHighS: number | null;
                /** @description Capture rate: share with a positive net spread that many seconds later. */
                captured: {
                    s1: components["schemas"]["EpisodeShare"];
                    s5: components["schemas"]["EpisodeShare"];
                    s30: components["schemas"]["EpisodeShare"];
                };
                /** @description Net spread that many seconds later, percent. */
                leftPct: {
                    s1: components["schemas"]["SpreadLeft"];
                    s5: components["schemas"]["SpreadLeft"];
                    s30: components["schemas"]["SpreadLeft"];
                };
            }[];
        };
        /** @description A statistic over `count` days, or null with the reason why there is none. */
        Statistic: {
            value: number | null;
            count: number;
            standardError?: number;
            reason?: string;
        };
        StatusBackfill: {
            /** @enum {string} */
            exchange: "binance" | "bybit" | "okx";
            /** @enum {string} */
            state: "running" | "waiting" | "complete" | "failed";
            stored_parts: number;
            total_parts: number;
            /** @description Parts that the exchange did not deliver; each is tried again. */
            failed_parts: number;
            /** @description Error code of the newest failure of this round; see docs/errors.md. */
            code: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        StatusDay: {
            /** Format: date */
            date: string;
            up_minutes: number;
            /** @description Counted minutes of the day: probed ones, and gaps of two minutes or more without any probe. */
            minutes: number;
        };
        StatusIncident: {
            /**
             * @description `service`: no probe was stored.
             * @enum {string}
             */
            part: "signals" | "database" | "binance" | "bybit" | "okx" | "mail" | "coins" | "cards" | "ai" | "feeds" | "telegram" | "storage" | "service";
            /** Format: date-time */
            from: string;
            /** @description Null while it lasts. */
            to: string | null;
            minutes: number;
            /** @description Error code of the last failed probe; see docs/errors.md. */
            code: string | null;
        };
        StatusPart: {
            /** @enum {string} */
            part: "signals" | "database" | "binance" | "bybit" | "okx" | "mail" | "coins" | "cards" | "ai" | "feeds" | "telegram" | "storage";
            /** @description `unknown`: no probe within the last three minutes. */
            state: components["schemas"]["PartState"];
            checked_at: string | null;
            /** @description Latency of the last successful probe. */
            duration_ms: number | null;
            uptime: components["schemas"]["StatusUptime"];
            /** @description At most 90, oldest first, from the first probed day on. */
            days: components["schemas"]["StatusDay"][];
        };
        StatusResponse: {
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            market: "simulated" | "replay" | "live";
            /** @enum {string} */
            state: "operational" | "disrupted" | "unknown";
            /** @description The first stored probe; null: none. */
            since: string | null;
            /** @description Parts configured here. */
            parts: components["schemas"]["StatusPart"][];
            /** @description Two failed probes in a row or more, of the last 90 days; newest first, at most 50. */
            incidents: components["schemas"]["StatusIncident"][];
            /** @description Stored candles by exchange; it does not change `state`. Empty: none is filled backwards. */
            history: components["schemas"]["StatusBackfill"][];
        };
        /** @description Over the longest fully probed window of 90, 30, 7 or 1 days; null on the first day. */
        StatusUptime: {
            /** @description Length of the window. */
            days: number;
            fraction: number;
            up_minutes: number;
            /** @description Counted minutes: probed ones, and gaps of two minutes or more without any probe, which count as down. */
            minutes: number;
        } | null;
        StepUpRequest: {
            password: string;
        } | {
            /** @description Six-digit authenticator code, or a recovery code. */
            code: string;
        };
        /**
         * Format: binary
         * @description A header length (uint32, little endian), a JSON header and packed chunks; `storedCandles.ts` reads them.
         */
        StoredCandlesBytes: string;
        StoredDrawing: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "horizontal" | "trend" | "ray" | "rectangle" | "fibonacci" | "measure" | "text" | "long" | "short";
            /** @description 1 for horizontal and text, 2 for the others; long and short: entry, target, stop. */
            anchors: components["schemas"]["DrawingAnchor"][];
            text: string;
            is_locked: boolean;
            is_hidden: boolean;
        };
        StoredHistoryResponse: {
            symbol: string;
            exchange: components["schemas"]["ExchangeName"];
            /** @description `live`, or the simulated or replayed market of the candles. */
            source: string;
            listed_at: components["schemas"]["InstantOrNull"];
            ended_at: components["schemas"]["InstantOrNull"];
            /** @description Contract of the same token under its other name, with the public source of the rename. */
            predecessor: {
                symbol: string;
                source: string;
            } | null;
            /** @description Contract of the same token under its other name, with the public source of the rename. */
            successor: {
                symbol: string;
                source: string;
            } | null;
            series: components["schemas"]["StoredHistorySeries"][];
            /** @description Newest 50. */
            revisions: components["schemas"]["HistoryRevision"][];
            fundings: {
                count: number;
                first: components["schemas"]["InstantOrNull"];
                last: components["schemas"]["InstantOrNull"];
                /** @description Distinct hours between two stamps, rising. */
                interval_hours: number[];
            };
            /** @description Chunks of the symbol whose checksum failed; they are requested again. */
            broken_chunks: number;
            /** @description Progress of the exchange; null when it is not filled backwards. */
            backfill: {
                /** @enum {string} */
                state: "running" | "waiting" | "complete" | "failed";
                stored_parts: number;
                total_parts: number;
                error: {
                    code: string;
                    message: string;
                    /** Format: date-time */
                    at: string;
                } | null;
                /** Format: date-time */
                updated_at: string;
            } | null;
        };
        StoredHistorySeries: {
            interval: components["schemas"]["IntervalName"];
            price: components["schemas"]["StoredPrice"];
            count: number;
            first: components["schemas"]["InstantOrNull"];
            last: components["schemas"]["InstantOrNull"];
            bytes: number;
            missing: number;
            gap_count: number;
            /** @description The oldest 50. `not_sent`: requested, and the exchange sent none. */
            gaps: {
                /** Format: date-time */
                from: string;
                /** Format: date-time */
                to: string;
                /** @enum {string} */
                cause: "not_stored" | "not_sent";
            }[];
            revision_count: number;
            complete: boolean;
        };
        /** @enum {string} */
        StoredPrice: "last" | "mark";
        /** @description Votes with their weights and parameters, intervals, threshold, direction, exits and sizing. */
        StoredStrategy: {
            /** @description The first one is the base; each longer one votes with its last closed candle. */
            intervals: {
                /** @enum {string} */
                interval: "1m" | "5m" | "15m" | "1h" | "4h" | "1d";
                weight: number;
            }[];
            /** @description By vote id. */
            weights: {
                [key: string]: number;
            };
            parameters?: components["schemas"]["VoteParameters"];
            /** @description Least absolute score that is a signal. */
            entryThreshold: number;
            /** @enum {string} */
            direction: "both" | "long" | "short";
            stop: {
                /** @constant */
                mode: "percent";
                /** @description Distance of the stop from the fill, a fraction. */
                fraction: number;
            } | {
                /** @constant */
                mode: "atr";
                /** @description Distance of the stop in average true ranges of the deciding candle. */
                multiple: number;
            };
            target: {
                /** @constant */
                mode: "percent";
                /** @description Distance of the target from the fill, a fraction. */
                fraction: number;
            } | {
                /** @constant */
                mode: "atr";
                /** @description Distance of the target in average true ranges of the deciding candle. */
                multiple: number;
            };
            /** @description Candles of the average true range. 1 when less. */
            atrPeriod: components["schemas"]["AtrPeriod"];
            trailing: {
                /** @enum {string} */
                mode: "off" | "percent" | "atr";
                /** @description Distance of the trailing stop from the best price, a fraction. */
                callbackFraction: number;
                /** @description The stop moves only by this fraction of the entry or more. */
                stepFraction: number;
                /** @description Distance of the trailing stop in average true ranges of the completed candle. */
                atrMultiple: number;
                /** @description Gain that starts the trailing, a fraction of the entry. */
                activationFraction: number;
            };
            /** @description The stop moves to the entry after a gain of so many times the distance of the first stop; 0: never. */
            breakEvenR: number;
            /** @enum {string} */
            onOpposite: "hold" | "exit" | "reverse";
            /** @description A position leaves at the open that follows so many candles; 0: no limit. */
            holdingBarsMax: number;
            sizing: {
                /** @enum {string} */
                mode: "fixed" | "risk";
                /** @description Part of the balance that a trade may lose at its stop, costs included. */
                riskFraction: number;
                isCompounding: boolean;
            };
            rules?: components["schemas"]["RulesText"];
        };
        StrategiesResponse: {
            /** @description By name, at most 50. */
            strategies: {
                /** Format: uuid */
                id: string;
                name: string;
                /** @description SHA-256 of the canonical JSON: ordered keys, without votes of weight 0 and default parameters. */
                version: string;
                value: components["schemas"]["StoredStrategy"];
                /** @description Used by scans and automatic opening. */
                is_used: boolean;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
            }[];
            /** @description Strategy of scans and automatic opening. */
            used: components["schemas"]["StrategyName"];
        };
        /** @description Votes with their weights and parameters, intervals, threshold, direction, exits and sizing. */
        StrategyInput: {
            /** @description The first one is the base; each longer one votes with its last closed candle. */
            intervals: {
                /** @enum {string} */
                interval: "1m" | "5m" | "15m" | "1h" | "4h" | "1d";
                weight: number;
            }[];
            /** @description Weight of each vote, `news` among them; a negative one reverses the vote. */
            weights: {
                /** @default 0 */
                rsi?: number;
                /** @default 0 */
                macd?: number;
                /** @default 0 */
                boll?: number;
                /** @default 0 */
                adx?: number;
                /** @default 0 */
                supertrend?: number;
                /** @default 0 */
                vwap?: number;
                /** @default 0 */
                mfi?: number;
                /** @default 0 */
                obv?: number;
                /** @default 0 */
                cci?: number;
                /** @default 0 */
                donchian?: number;
                /** @default 0 */
                ichimoku?: number;
                /** @default 0 */
                stochrsi?: number;
                /** @default 0 */
                fib?: number;
                /** @default 0 */
                ema_cross?: number;
                /** @default 0 */
                sma_cross?: number;
                /** @default 0 */
                ich_align?: number;
                /** @default 0 */
                ich_cloud?: number;
                /** @default 0 */
                pivot?: number;
                /** @default 0 */
                news?: number;
            };
            parameters?: components["schemas"]["VoteParameters"];
            /** @description Least absolute score that is a signal. */
            entryThreshold: number;
            /** @enum {string} */
            direction: "both" | "long" | "short";
            stop: {
                /** @constant */
                mode: "percent";
                /** @description Distance of the stop from the fill, a fraction. */
                fraction: number;
            } | {
                /** @constant */
                mode: "atr";
                /** @description Distance of the stop in average true ranges of the deciding candle. */
                multiple: number;
            };
            target: {
                /** @constant */
                mode: "percent";
                /** @description Distance of the target from the fill, a fraction. */
                fraction: number;
            } | {
                /** @constant */
                mode: "atr";
                /** @description Distance of the target in average true ranges of the deciding candle. */
                multiple: number;
            };
            /** @description Candles of the average true range. 1 when less. */
            atrPeriod: components["schemas"]["AtrPeriod"];
            trailing: {
                /** @enum {string} */
                mode: "off" | "percent" | "atr";
                /** @description Distance of the trailing stop from the best price, a fraction. */
                callbackFraction: number;
                /** @description The stop moves only by this fraction of the entry or more. */
                stepFraction: number;
                /** @description Distance of the trailing stop in average true ranges of the completed candle. */
                atrMultiple: number;
                /** @description Gain that starts the trailing, a fraction of the entry. */
                activationFraction: number;
            };
            /** @description The stop moves to the entry after a gain of so many times the distance of the first stop; 0: never. */
            breakEvenR: number;
            /** @enum {string} */
            onOpposite: "hold" | "exit" | "reverse";
            /** @description A position leaves at the open that follows so many candles; 0: no limit. */
            holdingBarsMax: number;
            sizing: {
                /** @enum {string} */
                mode: "fixed" | "risk";
                /** @description Part of the balance that a trade may lose at its stop, costs included. */
                riskFraction: number;
                isCompounding: boolean;
            };
            rules?: components["schemas"]["RulesText"];
        };
        StrategyName: {
            /** @description `Live rules` is built in. */
            name: string;
            /** @description SHA-256 of the canonical JSON of a saved strategy. */
            version: string;
        };
        StrategyParams: {
            weights: components["schemas"]["Weights"];
            /** @default 0.08 */
            entryThreshold: number;
            /**
             * @description Stop distance, a fraction: 0.02 is 2 %.
             * @default 0.02
             */
            slPct: number;
            /**
             * @description Target distance, a fraction.
             * @default 0.04
             */
            tpPct: number;
            trailing: components["schemas"]["Trailing"];
            /** @description Longest time in a trade, candles; 0: none. */
            holdingBarsMax?: number;
        };
        StrategyParamsInput: {
            /** @default {} */
            weights?: components["schemas"]["WeightsInput"];
            /** @default 0.08 */
            entryThreshold?: number;
            /**
             * @description Stop distance, a fraction: 0.02 is 2 %.
             * @default 0.02
             */
            slPct?: number;
            /**
             * @description Target distance, a fraction.
             * @default 0.04
             */
            tpPct?: number;
            /** @default {} */
            trailing?: components["schemas"]["TrailingInput"];
            /** @description Longest time in a trade, candles; 0: none. */
            holdingBarsMax?: number;
        };
        StrategyReplayResponse: {
            /** @constant */
            origin: "replayed";
            /** @enum {string} */
            state: "none" | "queued" | "running" | "done" | "failed" | "cancelled";
            /** @description Version that is replayed; a newer one needs its own replay. */
            version: string | null;
            /** @description End of the candles. */
            requested_at: string | null;
            finished_at: string | null;
            /** @description Symbols of the past universe; null: not known yet. */
            symbols: number | null;
            symbols_done: number;
            /** @description Left out: unread, or not computed. */
            symbols_failed: number;
            /** @description What failed and what to do; null: nothing. */
            error: string | null;
            /** @description Outcomes by its own exits; null: not done. Never part of the public record. */
            record: {
                origin: components["schemas"]["Origin"];
                /** @description Recorded. */
                signals: number;
                /** @description Not resolved yet: neither won nor lost. */
                open: number;
                /** @description Overdue: a candle is missing or trading is halted. They may be losers. */
                overdue: number;
                resolved: number;
                tp: number;
                sl: number;
                /** @description The horizon passed before stop and target. */
                time: number;
                /** @description The exchange ended the contract: settled at the last price seen. */
                delisted: number;
                /** @description Resolved with a gain after fees. */
                won: number;
                /** @description Stop and target in one candle: counted as stopped. */
                ambiguous: number;
                hit_rate: number | null;
                hit_rate_interval: components["schemas"]["RateInterval"];
                /** @description Independent resolved signals: same symbol, direction and time count once. */
                independent_count: number;
                /** @description A fraction of the entry price: 0.02 is 2 %. */
                mean_net_fraction: number | null;
                /** @description A fraction of the entry price: 0.02 is 2 %. */
                total_net_fraction: number | null;
                calibration: components["schemas"]["Calibration"];
                turned: number;
            } | null;
            /** @description Mean of independent signals, after fees, percent of the entry price. */
            mean_net_pct: number | null;
            /** @description 95 %, errors summed by blocks of days. At most 0: no edge shown. */
            net_low_pct: number | null;
            net_high_pct: number | null;
        };
        StrategyVersionsResponse: {
            /** @description Newest first: the current version and at most 20 earlier ones. */
            versions: {
                version: string;
                value: components["schemas"]["StoredStrategy"];
                /** @description When a newer version took its place; null: the current one. */
                replaced_at: string | null;
            }[];
        };
        /** @description Server-sent events; over a WebSocket each message is {"id", "event", "data"}. `ready` opens the stream, with `resumed`. `signal` is the signal of a candle that has just closed (fields of POST /api/futures-signal with its defaults and neutral tuning), `missed` says that one could not be computed, `candle` is a closed candle, `prices` carries changed prices at most once a second, `beat` comes every 15 seconds with the newest id. After `resync`, fetch what you need; missed events are not delivered: the break was longer than ten minutes, the exchange sent no candles, or the replay queue exceeded 2 minutes (one stream per account replays at a time; `ready` comes when its turn starts). `end` is the last event, with `reason` `slow_reader`, `key_ended` or `server_stops`. Signals and candles of the last ten minutes are replayed after the id you name, by any server; after a change of server an event may repeat, with the same `symbol`, `interval` and `candle_close_at`. */
        StreamResponse: string;
        SubscriptionRequest: {
            plan: components["schemas"]["ApiPlan"];
        };
        SubscriptionResponse: {
            current: {
                plan: components["schemas"]["ApiPlan"];
                hourly_limit: number;
                /** @description Calls of all keys this hour. */
                window_count: number;
                /**
                 * Format: date-time
                 * @description When the next hour starts.
                 */
                reset_at: string;
                started_at: components["schemas"]["InstantOrNull"];
                /** @description End of a paid plan; FREE follows. */
                expires_at: components["schemas"]["InstantOrNull"];
            };
            plans: {
                plan: components["schemas"]["ApiPlan"];
                /** @description Credits for 30 days. */
                price_credits_month: number;
                hourly_limit: number;
            }[];
            /** @description Paid plans changed to FREE before their end; changing back is free until then. */
            paid: {
                plan: components["schemas"]["ApiPlan"];
                /** Format: date-time */
                expires_at: string;
            }[];
        };
        /**
         * @description USDT perpetual, e.g. BTCUSDT; lower case is accepted.
         * @example BTCUSDT
         */
        SymbolName: string;
        SymbolsResponse: {
            exchange: components["schemas"]["ExchangeName"];
            /**
             * @description Only live data comes from a real exchange.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @description Milliseconds since the exchange last confirmed this data. */
            data_age_ms: number;
            /** @description Every instrument of the exchange, counted once. */
            counts: {
                /** @description Coin perpetuals trading now: the size of the universe. */
                trading: number;
                /** @description In `symbols` with the status `halted`. */
                suspended: number;
                left_out: {
                    stock: number;
                    /** @description Metals, oil and the like. */
                    commodity: number;
                    index: number;
                    /** @description Any other class. */
                    otherAsset: number;
                    /** @description Underlying not stated by the exchange. */
                    unclassified: number;
                    /** @description Not quoted and settled in USDT. */
                    otherQuote: number;
                    datedFuture: number;
                    /** @description Without a usable name, tick size or quantity step. */
                    malformed: number;
                };
            };
            symbols: {
                symbol: string;
                base: string;
                /** @description Smallest price step, USDT. */
                tick_size: number;
                /** @description Smallest quantity step in coins, on every exchange. */
                step_size: number;
                min_notional: number | null;
                /** @description Largest market order in coins; null: not published. */
                max_quantity: number | null;
                /** @description null: not published by the exchange. */
                max_leverage: number | null;
                listed_at: components["schemas"]["InstantOrNull"];
                /** @enum {string} */
                status: "trading" | "halted";
            }[];
        };
        TargetChange: {
            is_on?: boolean;
            /** @description Events it receives. */
            kinds?: ("scan_finished" | "credits_low" | "position_opened" | "position_closed" | "arbitrage_spread")[];
        };
        TargetShares: {
            /** @description Price in quote currency. */
            price: number;
            fraction: number;
        }[];
        TargetSharesInput: {
            /** @description Price in quote currency. */
            price: number;
            fraction: number;
        }[];
        Targets: {
            /** @description Price in quote currency. */
            price: number;
            /** @description Share of the position: 0.5 is half of it. The last one closes what is left. */
            fraction: number;
        }[];
        TelegramLinkResponse: {
            /**
             * Format: uri
             * @description Opens the bot; Start links the chat. Works once.
             */
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        TestResponse: {
            /** Format: uuid */
            notification_id: string;
        };
        Trade: {
            /** @enum {string} */
            side: "LONG" | "SHORT";
            entryIndex: number;
            exitIndex: number;
            entryTimeMs: number;
            exitTimeMs: number;
            entryPrice: number;
            exitPrice: number;
            quantity: number;
            /** @enum {string} */
            closeReason: "TP" | "SL" | "LIQ" | "END" | "TIME" | "SIGNAL" | "RULE";
            grossPnl: number;
            fees: number;
            funding: number;
            slippage: number;
            netPnl: number;
            returnOnMargin: number;
            isAmbiguous: boolean;
            adverseExcursionFraction: number;
            favourableExcursionFraction: number;
            stopLossPrice: number;
            takeProfitPrice: number;
            liquidationPrice: number | null;
            margin: number;
        };
        Trailing: {
            /** @default false */
            enabled: boolean;
            /**
             * @description Fraction: 0.005 is 0.5 %.
             * @default 0.005
             */
            callbackPct: number;
            /**
             * @description Fraction: 0.0025 is 0.25 %.
             * @default 0.0025
             */
            stepPct: number;
            /**
             * @description percent when absent.
             * @enum {string}
             */
            mode?: "percent" | "atr";
            /** @description 2 when absent. */
            atrMultiplier?: number;
            /** @description Candles, 1 when less; 14 when absent. */
            atrPeriod?: components["schemas"]["AtrPeriod"];
            /** @description Profit that starts the trailing, a fraction. */
            activationPct?: number;
        };
        TrailingChange: {
            enabled: boolean;
            /** @enum {string} */
            mode?: "percent" | "atr";
            callback_pct?: number;
            step_pct?: number;
            atr_mult?: number;
            atr_period?: number;
            activation_pct?: number;
        };
        TrailingInput: {
            /** @default false */
            enabled?: boolean;
            /**
             * @description Fraction: 0.005 is 0.5 %.
             * @default 0.005
             */
            callbackPct?: number;
            /**
             * @description Fraction: 0.0025 is 0.25 %.
             * @default 0.0025
             */
            stepPct?: number;
            /**
             * @description percent when absent.
             * @enum {string}
             */
            mode?: "percent" | "atr";
            /** @description 2 when absent. */
            atrMultiplier?: number;
            /** @description Candles, 1 when less; 14 when absent. */
            atrPeriod?: components["schemas"]["AtrPeriod"];
            /** @description Profit that starts the trailing, a fraction. */
            activationPct?: number;
        };
        /**
         * Format: binary
         * @description gzip of f64 columns, little-endian, one after the other, each with every sample and then every refined set: netPnl, tradeCount, winCount, profitFactor, closedDrawdownFraction, maxDrawdownFraction, sharpe, sortino, calmar, value.
         */
        TrialsBytes: string;
        /** @description Factors on the weights of the live ensemble, 0.5 to 1.5 in steps of 0.05; 1 is neutral. */
        Tuning: {
            adx: components["schemas"]["TuningWeight"];
            supertrend: components["schemas"]["TuningWeight"];
            ema_cross: components["schemas"]["TuningWeight"];
            sma_cross: components["schemas"]["TuningWeight"];
            pivot: components["schemas"]["TuningWeight"];
            vwap: components["schemas"]["TuningWeight"];
            mfi: components["schemas"]["TuningWeight"];
            donchian: components["schemas"]["TuningWeight"];
            ich_align: components["schemas"]["TuningWeight"];
            ich_cloud: components["schemas"]["TuningWeight"];
            news: components["schemas"]["TuningWeight"];
        };
        /** @description Missing fields stay unchanged. */
        TuningBodyInput: {
            /**
             * @description Weights to change; others stay.
             * @default {}
             */
            weights?: {
                adx?: components["schemas"]["TuningWeight"];
                supertrend?: components["schemas"]["TuningWeight"];
                ema_cross?: components["schemas"]["TuningWeight"];
                sma_cross?: components["schemas"]["TuningWeight"];
                pivot?: components["schemas"]["TuningWeight"];
                vwap?: components["schemas"]["TuningWeight"];
                mfi?: components["schemas"]["TuningWeight"];
                donchian?: components["schemas"]["TuningWeight"];
                ich_align?: components["schemas"]["TuningWeight"];
                ich_cloud?: components["schemas"]["TuningWeight"];
                news?: components["schemas"]["TuningWeight"];
            };
            /**
             * Format: uuid
             * @description Go back to this version first.
             */
            version_id?: string;
            /** @description Save the result under this name, replacing an existing one. */
            save_as?: string;
        };
        TuningHalf: {
            /** @description At least `needed` passed and `needed` vetoed. */
            is_enough: boolean;
            needed: number;
            all: components["schemas"]["OutcomeGroup"];
            passed: components["schemas"]["OutcomeGroup"];
            vetoed: components["schemas"]["OutcomeGroup"];
            /** @description Mean result under a random veto of the same size, with its 95 % band; signals that are open at the same time are one draw. null: not enough. */
            random: {
                mean: number;
                low: number;
                high: number;
            } | null;
            /** @description Mean result of what passed minus that of the random veto. */
            value_added: number | null;
            /** @description Chance of at least this value without skill. */
            p_value: number | null;
            /** @description Vetoed because your weights give the opposite direction. */
            turned: number;
            /** @description Brier score of the confidences as recorded; null: not enough data. */
            brier_before: number | null;
            /** @description Brier score of the confidences under your weights; less is better. */
            brier_after: number | null;
        };
        TuningResponse: {
            weights: components["schemas"]["Tuning"];
            /** @description null before the first save. */
            updated_at: components["schemas"]["InstantOrNull"];
            /** @description Preset value of every weight. */
            presets: {
                conservative: number;
                balanced: number;
                aggressive: number;
            };
            /** @description Newest first, at most 50. */
            versions: {
                /** Format: uuid */
                id: string;
                name: string;
                weights: components["schemas"]["Tuning"];
                /** Format: date-time */
                created_at: string;
            }[];
        };
        TuningValue: {
            /**
             * Format: date-time
             * @description When you last set weights or floor; earlier closes are in sample.
             */
            saved_at: string;
            confidence_floor: number | null;
            in_sample: components["schemas"]["TuningHalf"];
            /** @description Signals of candles closed after you saved: out of sample. */
            out_of_sample: components["schemas"]["TuningHalf"];
            /** @description Left out: stored votes missing or inconsistent with the score. */
            unexplained: number;
        };
        TuningWeight: number;
        TweetsResponse: {
            is_connected: boolean;
            name: string | null;
            is_simulated: boolean;
            /** @description Why the last read failed; null: it succeeded. */
            message: string | null;
            posts: {
                /** Format: uuid */
                id: string;
                text: string;
                /** Format: uri */
                link: string;
                author: string | null;
                /** Format: date-time */
                posted_at: string;
                symbols: string[];
                /** @enum {string} */
                sentiment: "bullish" | "bearish" | "neutral";
            }[];
        };
        TwoFactorSetupResponse: {
            /** @description base32, for typing by hand. */
            secret: string;
            /** @description otpauth: URL for the QR code. */
            url: string;
        };
        UpdateUserRequestInput: {
            /** @description Your current password, to confirm. */
            current_password: string;
            password: components["schemas"]["NewPassword"];
            /**
             * @description Also revokes all API keys.
             * @default false
             */
            revoke_api_keys?: boolean;
        };
        UseStrategyBody: {
            /** @description null: the built-in Live rules. */
            id: string | null;
            /** @description Rejected when the strategy has a newer version. */
            version?: string;
        };
        User: {
            /** Format: uuid */
            id: string;
            email: string;
            /** Format: date-time */
            created_at: string;
        };
        Username: string;
        UsernameRequest: {
            username: components["schemas"]["Username"];
        };
        UsernameResponse: {
            username: string | null;
        };
        VenueQuote: {
            /** @description Its symbol there, e.g. `1000PEPEUSDT`. */
            contract: string;
            /** @description Coins per quoted unit; prices here are divided by it. */
            multiplier: number;
            bid: number;
            ask: number;
            /** @description The exchange's stamp of bid and ask, epoch ms. */
            atMs: number;
            /** @description By our clock. */
            receivedAtMs: number;
            /** @enum {string} */
            source: "stream" | "request";
            /** @description Fraction that longs pay at the next funding. */
            fundingRate: number | null;
            nextFundingAtMs: number | null;
            /** @description null: unknown; then only the next funding is counted. */
            fundingIntervalHours: number | null;
        };
        VisionAnalysis: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            symbol: string | null;
            /** @enum {string} */
            direction: "LONG" | "SHORT" | "NEUTRAL";
            confidence: number;
            /** @enum {string} */
            confidence_kind: "score" | "calibrated";
            timeframe: string | null;
            risk_score: number;
            sentiment: ("bullish" | "bearish") | null;
            levels: components["schemas"]["VisionLevels"];
            /** @description Quote currency; null: not known. */
            liquidation_approx: number | null;
            patterns: components["schemas"]["VisionPattern"][];
            multi_timeframe: {
                short: components["schemas"]["VisionTimeframe"];
                medium: components["schemas"]["VisionTimeframe"];
                long: components["schemas"]["VisionTimeframe"];
            };
            rationale: string;
            credit_refunded: boolean;
            refund_message: string | null;
            /** @enum {string} */
            decided_by: "rules" | "model";
            decided_because: string;
            /** @description Why the model view is missing; null: present, or no model. The credit is returned where the model was called in vain; for unusable responses 3 times a day (UTC), after which a rules view costs its credit. */
            model_failure: string | null;
            /** @description The views of the rules and of the model. */
            views: components["schemas"]["VisionView"][];
            marks: {
                symbol: components["schemas"]["VisionMark"];
                timeframe: components["schemas"]["VisionMark"];
                candles: components["schemas"]["VisionMark"];
                levels: components["schemas"]["VisionMark"];
                direction: components["schemas"]["VisionMark"];
                confidence: components["schemas"]["VisionMark"];
                risk_score: components["schemas"]["VisionMark"];
                sentiment: components["schemas"]["VisionMark"];
                patterns: components["schemas"]["VisionMark"];
                multi_timeframe: components["schemas"]["VisionMark"];
            };
            /** @description null: the picture is not a chart. */
            grounding: components["schemas"]["VisionGrounding"] | null;
            candles: components["schemas"]["VisionCandles"] | null;
            spots: components["schemas"]["VisionSpots"];
            /** @description Curves over the candles, read from the picture; at most the longest 8. */
            lines: components["schemas"]["VisionLine"][];
            /** @description null: no position was considered. */
            opening: components["schemas"]["VisionOpening"] | null;
        };
        VisionCandles: {
            /** @description Our own candles; otherwise those read from the picture. */
            is_real: boolean;
            /** @description Opens, epoch ms; null: not known. */
            time: number[] | null;
            open: number[];
            high: number[];
            low: number[];
            close: number[];
            /** @description Our own: base asset. Read from the picture: shares of its highest bar. null: no bars were read. */
            volume: number[] | null;
            /** @description false: the values are rows of the picture, upside up. */
            has_prices: boolean;
        };
        VisionGrounding: {
            /**
             * @description `verified`: stored candles match the picture. `read`: read from the picture, unverified.
             * @enum {string}
             */
            state: "verified" | "read";
            symbol: string | null;
            interval: string | null;
            from: components["schemas"]["InstantOrNull"];
            to: components["schemas"]["InstantOrNull"];
            /** @description The picture ends at the newest candles. */
            is_current: boolean;
            /** @description Candles read. */
            candle_count: number;
            /** @description Correlation of close-to-close changes with our candles. */
            correlation: number | null;
            /** @description Candles of the picture, counted from 1, that correlation and distance are of, where only a part matched; null: all. Absent in older analyses. */
            correlation_part?: {
                first: number;
                last: number;
            } | null;
            /** @description Distance of the closes from ours, percent of the range of the picture. */
            residual_pct: number | null;
            symbols_searched: number;
            intervals_searched: string[];
            series_searched: number;
            candles_searched: number;
            /** @description Scale of the price axis; null: it was not read. */
            price_scale: ("linear" | "log") | null;
            /** @description Largest error of a price label against the fitted scale, percent of the height between the outermost labels. */
            price_error_pct: number | null;
            /** @description Why title and axes were not read: text recognition timed out or failed; null: read. */
            text_failure: ("timeout" | "failed") | null;
            /** @description Price labels on the fitted scale. */
            price_labels: number;
            /** @description Symbol and interval stated in the picture. */
            title_symbol: string | null;
            title_interval: string | null;
            /** @description Disagreement of title and candles. */
            contradiction: string | null;
        };
        VisionLevels: {
            /** @description Quote currency; null: not known. */
            entry: number | null;
            /** @description Quote currency; null: not known. */
            sl: number | null;
            /** @description Quote currency; null: not known. */
            tp: number | null;
        };
        VisionLine: {
            /** @description As `#rrggbb`, from the pixels of the picture. */
            colour: string;
            /** @description At the candles of `candles`, as shares of the width and of the height of the picture with four decimals, from the left; hidden columns are left out. */
            points: {
                x: number;
                y: number;
            }[];
            /** @description Share of the candles read at which it was seen. */
            seen_share: number;
            /** @description Price at its last point; null: the price axis was not read. */
            last_value: number | null;
        };
        /**
         * @description `verified`: from our own candles, which match the picture; `read`: from the pixels or the text of the picture; `guessed`: an estimate by rules or a model.
         * @enum {string}
         */
        VisionMark: "verified" | "read" | "guessed";
        VisionOpening: {
            /** @enum {string} */
            outcome: "opened" | "skipped" | "failed";
            message: string;
            /** @description Why it was not opened. */
            detail: string | null;
            position_id: string | null;
        };
        VisionPattern: {
            /** @description A candlestick pattern such as `engulfing`, or a swing formation such as `doubleTop`. */
            id: string;
            title: string;
            /** @enum {string} */
            direction: "bullish" | "bearish" | "neutral";
            /** @description The candle of `candles` that completes it. */
            index: number;
            /** @description Candles of `candles` that a swing formation is drawn through; empty for a candlestick pattern. */
            points: {
                index: number;
                /** @enum {string} */
                side: "high" | "low" | "close";
            }[];
            /**
             * @description `zigzag`: through the points in order; `sides`: a line through the highs and one through the lows; `level`: level through the points.
             * @enum {string}
             */
            drawn: "candle" | "zigzag" | "sides" | "level";
            /** @description null: no direction, or no history of the interval. */
            record: {
                interval: string;
                horizon_candles: number;
                /** @description Occurrences in our own candle history. */
                count: number;
                /** @description Share of them with a close in its direction so many candles later. */
                followed_share: number | null;
                /** @description 95 % interval of the share (Wilson); null: it did not occur. */
                followed_low: number | null;
                followed_high: number | null;
                /** @description The same share of all candles: what no pattern gives. */
                base_share: number;
                /** @description True: the lower bound exceeds the share of all candles. */
                beats_base: boolean;
                series: number;
            } | null;
        };
        VisionRecord: {
            /** @enum {string} */
            by: "rules" | "model";
            model: string | null;
            interval: string;
            /** @description Right when the close that many candles later is beyond the newest seen. */
            horizon_candles: number;
            /** @description Evaluated views. Identical ones on the same candles count once. */
            count: number;
            /** @description Minimum for evidence. */
            needed: number;
            right_count: number;
            /** @description null: none was judged. */
            right_share: number | null;
            /** @description 95 % interval of the share (Wilson). */
            right_low: number | null;
            right_high: number | null;
            /** @description Share of them that said LONG. */
            long_share: number | null;
            /** @description Share of them after which the price rose. */
            rose_share: number | null;
            /** @description Hit rate of a random view with the same share of LONG. */
            base_share: number | null;
        };
        VisionResponse: {
            analysis: components["schemas"]["VisionAnalysis"];
            credits: number;
        };
        /** @description Where the candles are in the picture: shares of its width from the left and of its height from the top. */
        VisionSpots: {
            /** @description Of `candles`. */
            index: number;
            x: number;
            high: number;
            low: number;
            close: number;
        }[];
        VisionStatistics: {
            /** @description Closed positions opened by your analyses. */
            closed_count: number;
            needed: number;
            /** @description For all users, by view and interval. */
            records: components["schemas"]["VisionRecord"][];
            /** @description Outcomes of the analyses of all users, anonymous. */
            installation: {
                /** @description Minimum for evidence. */
                needed: number;
                horizon_candles: number;
                patterns: {
                    id: string;
                    title: string;
                    /** @enum {string} */
                    direction: "bullish" | "bearish";
                    /** @description Evaluated analyses. Identical ones on the same candles count once. */
                    count: number;
                    /** @description Those the price followed. */
                    right_count: number;
                    /** @description 95 % interval of the share (Wilson); null: none was judged. */
                    right_low: number | null;
                    right_high: number | null;
                }[];
                sentiments: {
                    /** @enum {string} */
                    sentiment: "bullish" | "bearish";
                    /** @description Evaluated analyses. Identical ones on the same candles count once. */
                    count: number;
                    /** @description Those the price followed. */
                    right_count: number;
                    /** @description 95 % interval of the share (Wilson); null: none was judged. */
                    right_low: number | null;
                    right_high: number | null;
                }[];
            };
            patterns: {
                id: string;
                title: string;
                count: number;
                win_count: number;
                win_share: number;
                mean_roi_pct: number;
                net_pnl: number;
            }[];
            sentiments: {
                /** @enum {string} */
                sentiment: "bullish" | "bearish";
                count: number;
                win_count: number;
                win_share: number;
                mean_roi_pct: number;
                net_pnl: number;
            }[];
        };
        /** @description null: no stored candles match the picture. */
        VisionTimeframe: {
            interval: string;
            /** @enum {string} */
            direction: "LONG" | "SHORT" | "NEUTRAL";
            score: number;
        } | null;
        VisionView: {
            /** @enum {string} */
            by: "rules" | "model";
            model: string | null;
            /** @enum {string} */
            direction: "LONG" | "SHORT" | "NEUTRAL";
            confidence: number;
            sentiment: ("bullish" | "bearish") | null;
            risk_score: number;
            levels: components["schemas"]["VisionLevels"];
            rationale: string;
            /** @description At the time of the analysis, on its interval. */
            record: components["schemas"]["VisionRecord"] | null;
        };
        /** @description Look-backs and levels of the votes where they are not the defaults (docs/indicators.md). Another value is another strategy. */
        VoteParameters: {
            rsi?: {
                /** @description Period; 14 when absent. */
                period?: number;
                /** @description Oversold below; 30 when absent. */
                oversold?: number;
                /** @description Overbought above; 70 when absent. */
                overbought?: number;
            };
            macd?: {
                /** @description Fast EMA; 12 when absent. */
                fast?: number;
                /** @description Slow EMA; 26 when absent. */
                slow?: number;
                /** @description Signal EMA; 9 when absent. */
                signal?: number;
            };
            boll?: {
                /** @description Period; 20 when absent. */
                period?: number;
                /** @description Width in deviations; 2 when absent. */
                width?: number;
            };
            adx?: {
                /** @description Period; 14 when absent. */
                period?: number;
                /** @description Trend above; 25 when absent. */
                trend?: number;
            };
            supertrend?: {
                /** @description ATR period; 10 when absent. */
                period?: number;
                /** @description Distance in ATRs; 3 when absent. */
                multiple?: number;
            };
            vwap?: {
                /** @description Period (0: since UTC midnight); 0 when absent. */
                period?: number;
            };
            mfi?: {
                /** @description Period; 14 when absent. */
                period?: number;
                /** @description Oversold below; 20 when absent. */
                oversold?: number;
                /** @description Overbought above; 80 when absent. */
                overbought?: number;
            };
            obv?: {
                /** @description Mean of; 20 when absent. */
                mean?: number;
            };
            cci?: {
                /** @description Period; 20 when absent. */
                period?: number;
                /** @description Breakout beyond; 100 when absent. */
                breakout?: number;
            };
            donchian?: {
                /** @description Period; 20 when absent. */
                period?: number;
            };
            ichimoku?: {
                /** @description Tenkan; 9 when absent. */
                tenkan?: number;
                /** @description Kijun; 26 when absent. */
                kijun?: number;
                /** @description Senkou span B; 52 when absent. */
                span?: number;
                /** @description Displacement; 26 when absent. */
                displacement?: number;
            };
            stochrsi?: {
                /** @description RSI period; 14 when absent. */
                rsi?: number;
                /** @description Range period; 14 when absent. */
                stochastic?: number;
                /** @description %K smoothing; 3 when absent. */
                k?: number;
                /** @description %D smoothing; 3 when absent. */
                d?: number;
                /** @description Oversold below; 20 when absent. */
                oversold?: number;
                /** @description Overbought above; 80 when absent. */
                overbought?: number;
            };
            fib?: {
                /** @description Candles on each side of a swing; 5 when absent. */
                reach?: number;
                /** @description Zone from; 0.382 when absent. */
                near?: number;
                /** @description Zone to; 0.618 when absent. */
                far?: number;
            };
            ema_cross?: {
                /** @description Fast period; 12 when absent. */
                fast?: number;
                /** @description Slow period; 26 when absent. */
                slow?: number;
            };
            sma_cross?: {
                /** @description Fast period; 20 when absent. */
                fast?: number;
                /** @description Slow period; 50 when absent. */
                slow?: number;
            };
            ich_align?: {
                /** @description Tenkan; 9 when absent. */
                tenkan?: number;
                /** @description Kijun; 26 when absent. */
                kijun?: number;
            };
            ich_cloud?: {
                /** @description Tenkan; 9 when absent. */
                tenkan?: number;
                /** @description Kijun; 26 when absent. */
                kijun?: number;
                /** @description Senkou span B; 52 when absent. */
                span?: number;
                /** @description Displacement; 26 when absent. */
                displacement?: number;
            };
        };
        VoteRecord: {
            vote: string;
            /** @description Resolved signals on whose own interval it said LONG or SHORT. */
            count: number;
            /** @description Hit rate of the vote: with a signal that gained or against one that lost. null: not enough data. */
            hit_rate: number | null;
            hit_rate_interval: components["schemas"]["RateInterval"];
        };
        WalkForward: {
            /**
             * @default anchored
             * @enum {string}
             */
            kind: "anchored" | "rolling";
            /** @default 4 */
            folds: number;
            /** @default 24 */
            purgeBars: number;
            /** @default 12 */
            embargoBars: number;
        };
        WalkForwardInput: {
            /**
             * @default anchored
             * @enum {string}
             */
            kind?: "anchored" | "rolling";
            /** @default 4 */
            folds?: number;
            /** @default 24 */
            purgeBars?: number;
            /** @default 12 */
            embargoBars?: number;
        };
        WalkForwardResult: {
            folds: {
                /** @description Loaded candles [start, end). */
                train: {
                    start: number;
                    end: number;
                };
                /** @description Loaded candles [start, end). */
                test: {
                    start: number;
                    end: number;
                };
                trainPnlPerBar: number;
                testPnlPerBar: number;
                testNetPnl: number;
                testTradeCount: number;
                params: components["schemas"]["StrategyParams"];
                /** @description The set of a rules search; `params` is then ignored. */
                strategy?: components["schemas"]["StoredStrategy"];
                /** @description Value of each parameter of own rules with a range, by name. */
                values?: {
                    [key: string]: number;
                };
            }[];
            /** @description Mean test result per candle over mean training result; null with the reason. */
            efficiency: number | null;
            reason?: string;
            testNetPnl: number;
            profitableFoldCount: number;
            testPnlPerBarMin: number;
            testPnlPerBarMax: number;
            /** @description Ambiguous candles of its windows without minutes. */
            unknownBars?: number[];
        };
        /**
         * @description `stop_within_guard`: nearer than 0.2 %, so it cannot be honoured exactly; `leverage_capped`: the symbol allows less; `funding_soon`: the next funding is within 15 minutes; `loss_above_risk`: the stop loses more than the risk per trade; `margin_reduced`: smaller than the settings say, because no more equity is free; `order_limited`: the same, because the exchange takes no larger market order.
         * @enum {string}
         */
        Warning: "stop_within_guard" | "leverage_capped" | "funding_soon" | "loss_above_risk" | "margin_reduced" | "order_limited";
        WatchlistRequest: {
            symbol: components["schemas"]["SymbolName"];
        };
        WatchlistResponse: {
            /** @description In the order they were added; at most 200. */
            entries: {
                symbol: string;
                /** Format: date-time */
                created_at: string;
            }[];
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            url: string;
            events: components["schemas"]["WebhookEventName"][];
            /** @description Messages are sent. */
            active: boolean;
            /**
             * @description Last characters of the signing secret.
             * @example …Xk3=
             */
            secret_hint: string;
            /** @description Other fields of the request that created it. */
            payload: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            last_delivery_at: components["schemas"]["InstantOrNull"];
            /** @description HTTP status of the last attempt; null: no response. */
            last_status: number | null;
            /** @description Number of the newest message; a gap means a missed message. */
            last_sequence: number;
            last_test_at: components["schemas"]["InstantOrNull"];
            last_test_succeeded: boolean | null;
            /** @description Start of the current failures. */
            failing_since: components["schemas"]["InstantOrNull"];
            /** @description Why the service switched it off; null: it did not. */
            off_reason: string | null;
        };
        WebhookCreated: {
            webhook: components["schemas"]["Webhook"];
            /** @description Signs every message (Standard Webhooks, https://www.standardwebhooks.com). Shown once. */
            secret: string;
        };
        WebhookDeliveriesResponse: {
            /** @description The newest 50, newest first; stored for 30 days. */
            deliveries: components["schemas"]["WebhookDelivery"][];
        };
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description `webhook-id` is `msg_` and this, the same for every attempt.
             */
            id: string;
            /**
             * @description Name of the event, or `test`.
             * @example position.opened
             */
            event: string;
            /** @description Number among the messages of this webhook; null for a test. */
            sequence: number | null;
            /** @enum {string} */
            state: "waiting" | "sent" | "failed";
            attempt_count: number;
            next_attempt_at: components["schemas"]["InstantOrNull"];
            /** @description HTTP status of the last attempt. */
            status: number | null;
            /** @description Duration of the last attempt. */
            duration_ms: number | null;
            failure: string | null;
            /** @description The exact body that is signed and sent. */
            body: string;
            /** Format: date-time */
            created_at: string;
            finished_at: components["schemas"]["InstantOrNull"];
        };
        WebhookDeliveryResponse: {
            delivery: components["schemas"]["WebhookDelivery"];
        };
        /** @enum {string} */
        WebhookEventName: "signal.created" | "signal.found" | "position.opened" | "position.closed" | "alert.fired" | "payment.completed" | "credits.low" | "plan.expiring";
        /** @description Other fields are stored and returned as `payload`, up to 4 KiB of JSON. */
        WebhookPayloadInput: {
            /** @description https on port 443 or 8443, at a public address. Redirects are not followed. */
            url: string;
            /**
             * @description Events to send. `signal.created`: a signal that may be opened; `signal.found`: every signal with a direction.
             * @default [
             *       "signal.created",
             *       "position.opened",
             *       "position.closed",
             *       "alert.fired",
             *       "payment.completed",
             *       "credits.low",
             *       "plan.expiring"
             *     ]
             */
            events?: components["schemas"]["WebhookEventName"][];
        } & {
            [key: string]: unknown;
        };
        WebhookRequest: {
            /** @description https on port 443 or 8443, at a public address. Redirects are not followed. */
            url: string;
        };
        WebhookResponse: {
            webhook: components["schemas"]["Webhook"];
        };
        /** @description Default: your newest webhook. */
        WebhookTestRequest: {
            /** Format: uuid */
            webhook_id?: string;
            /** @description URL of your webhook, instead of its id. */
            url?: string;
            /** @description Event to send an example of. */
            event?: components["schemas"]["WebhookEventName"];
        } | null;
        WebhookTestResponse: {
            success: boolean;
            error: "Webhook test failed" | null;
            /** @description Response of the receiver, or why there was none. */
            message: string;
            /** Format: uuid */
            webhook_id: string;
            /** Format: uuid */
            delivery_id: string;
            status: number | null;
            duration_ms: number | null;
            /** Format: date-time */
            tested_at: string;
        };
        WebhookUpdate: {
            /** @description https on port 443 or 8443, at a public address. Redirects are not followed. */
            url?: string;
            /** @description Events to send. `signal.created`: a signal that may be opened; `signal.found`: every signal with a direction. */
            events?: components["schemas"]["WebhookEventName"][];
            active?: boolean;
        };
        WebhooksResponse: {
            webhooks: components["schemas"]["Webhook"][];
            /** @description True in a demo account, which has no webhooks. */
            is_demo: boolean;
            /** @description Local test receiver that stores messages; demo only. */
            practice_receiver: string | null;
        };
        Weights: {
            /** @default 1.5 */
            rsi: number;
            /** @default 1.5 */
            macd: number;
            /** @default 1.2 */
            boll: number;
            /** @default 1 */
            adx: number;
            /** @default 1.2 */
            supertrend: number;
            /** @default 1 */
            vwap: number;
            /** @default 1 */
            mfi: number;
            /** @default 0.8 */
            obv: number;
            /** @default 0.8 */
            cci: number;
            /** @default 0.6 */
            donchian: number;
            /** @default 1 */
            ichimoku: number;
            /** @default 0.8 */
            stochrsi: number;
            /** @default 0.6 */
            fib: number;
        };
        WeightsInput: {
            /** @default 1.5 */
            rsi?: number;
            /** @default 1.5 */
            macd?: number;
            /** @default 1.2 */
            boll?: number;
            /** @default 1 */
            adx?: number;
            /** @default 1.2 */
            supertrend?: number;
            /** @default 1 */
            vwap?: number;
            /** @default 1 */
            mfi?: number;
            /** @default 0.8 */
            obv?: number;
            /** @default 0.8 */
            cci?: number;
            /** @default 0.6 */
            donchian?: number;
            /** @default 1 */
            ichimoku?: number;
            /** @default 0.8 */
            stochrsi?: number;
            /** @default 0.6 */
            fib?: number;
        };
        WhoAmIResponse: {
            /** Format: uuid */
            user_id: string;
            username: string | null;
            /** @description Key type; `live` for a session. */
            mode: components["schemas"]["KeyMode"];
            /** @description Null for a session. */
            key: {
                /** Format: uuid */
                id: string;
                name: string;
                scopes: components["schemas"]["ApiScopeName"][];
                credit_cap: number | null;
            } | null;
            /** @description Caller address, as matched against allow lists. */
            ip: string;
            plan: components["schemas"]["ApiPlan"];
            /** @description Set by the plan for live keys; test keys have a separate limit. */
            hourly_limit: number;
        };
    };
    responses: {
        /** @description Default Response */
        Problem401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem502: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem504: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem507: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem402: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Default Response */
        Problem500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
