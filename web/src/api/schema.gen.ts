// Written by .ci/generateApi.ts from server/openapi.json. Do not edit.

export interface paths {
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the service works, measured at most a second ago */
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
                        "application/json": components["schemas"]["HealthAnswer"];
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
    "/api/health/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report how long the product took to load in your browser */
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
                        /** @description Milliseconds the page took to load. */
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
                            /** @description False for somebody who does not allow analytics: nothing was kept. */
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
        /** What this installation is */
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
                             * @description demo: candles and prices are not from the real exchanges.
                             * @enum {string}
                             */
                            mode: "demo" | "live";
                            /** @enum {string} */
                            market: "simulated" | "replay" | "live";
                            /** @description Whether POST /api/auth/demo signs anybody in. */
                            demoAccount: boolean;
                            /** @description Whether this installation sends mail, so that a password can be reset. */
                            mail: boolean;
                            /** @description Whether GET /api/outbox shows the mails of this demo. */
                            outbox: boolean;
                            /** @description Whether a new account opens only by a link in a mail. */
                            signUpConfirmation: boolean;
                            version: string;
                            /** @description How to reach the operator; null: not given. */
                            contact: {
                                email: string | null;
                                phone: string | null;
                            };
                        };
                    };
                };
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
        /** What this installation has measured of itself: symbols, answer times, uptime */
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
                        "application/json": components["schemas"]["MeasuredAnswer"];
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
         * Make an account and sign in
         * @description Where addresses are confirmed first there is no session yet, and the answer is the same for an address that has an account. Where they are not, `email_taken` tells that it has one.
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
                        "application/json": components["schemas"]["SignUpAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
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
                        "application/json": components["schemas"]["SignInAnswer"];
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
        /** Finish a sign-in that asks for a code */
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
                        "application/json": components["schemas"]["SessionAnswer"];
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
        /** Who is signed in */
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
                        "application/json": components["schemas"]["CurrentSessionAnswer"];
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
                        "application/json": components["schemas"]["SignedOutAnswer"];
                    };
                };
                403: components["responses"]["Problem403"];
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
        /** Change the password; every other session ends */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UpdateUserRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionAnswer"];
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
        /** Sign into the demo account of this installation */
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
                        "application/json": components["schemas"]["SessionAnswer"];
                    };
                };
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
        /** Ask for a mail with a link to set a new password */
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
                        "application/json": components["schemas"]["MailRequestedAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
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
        /** Set a new password with the link of a mail; every session ends */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResetPasswordRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DoneAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
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
                        "application/json": components["schemas"]["SessionAnswer"];
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
        /** Ask for a mail to a new address, which changes the address when it is confirmed */
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
                        "application/json": components["schemas"]["MailRequestedAnswer"];
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
        /** Confirm a new address with the link of a mail; every other session ends */
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
                        "application/json": components["schemas"]["EmailAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
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
        /** Prove again who you are, for sensitive acts in the next 10 minutes */
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
                        "application/json": components["schemas"]["DoneAnswer"];
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
        /** How this account is protected */
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
                        "application/json": components["schemas"]["SecurityAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
        /** Begin two-factor sign-in: a secret for an authenticator */
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
                        "application/json": components["schemas"]["TwoFactorSetupAnswer"];
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
                        "application/json": components["schemas"]["DoneAnswer"];
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
                        "application/json": components["schemas"]["RecoveryCodesAnswer"];
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
        /** Make new recovery codes; the old ones no longer work */
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
                        "application/json": components["schemas"]["RecoveryCodesAnswer"];
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
        /** Where this account is signed in */
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
                        "application/json": components["schemas"]["SessionsAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
                        "application/json": components["schemas"]["DoneAnswer"];
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
                        "application/json": components["schemas"]["DoneAnswer"];
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
                        "application/json": components["schemas"]["UsernameAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
                        "application/json": components["schemas"]["UsernameAnswer"];
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
        /** The mails this demo sent; not there outside a demo on this machine */
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
                        "application/json": components["schemas"]["PreferencesAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
            };
        };
        /** Change some of your settings */
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
                        "application/json": components["schemas"]["PreferencesAnswer"];
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
        /** The symbols that can be traded */
        get: {
            parameters: {
                query?: {
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
                        "application/json": components["schemas"]["SymbolsAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
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
        /** The last price of one symbol */
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
                        "application/json": components["schemas"]["PriceAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
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
        /** The last prices of up to twelve symbols */
        get: {
            parameters: {
                query: {
                    /** @description 1 to 12 symbols with commas between them. */
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
                        "application/json": components["schemas"]["PriceBatchAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                404: components["responses"]["Problem404"];
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
                    /** @description Epoch ms: only candles that had closed at this instant. Now when absent. */
                    endTime?: number;
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
                        "application/json": components["schemas"]["KlinesAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
    "/api/funding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The next funding rate and the last settled ones */
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    /** @description Epoch ms: settled fundings from this instant on, at most 400 days back. 14 days back when absent. */
                    since?: number;
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
                        "application/json": components["schemas"]["FundingAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
        /** Indicator values at the last closed candle */
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
                        "application/json": components["schemas"]["IndicatorsAnswer"];
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
         * Backtest a weighted indicator strategy on closed candles, or search for better parameters
         * @description With `optimize` the answer holds the best set in `best`. A deep search (more than 1,000 samples) is a job: the answer is 202 with its id; follow it by `GET /api/backtest/searches/{id}` or the event stream.
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
                        "application/json": components["schemas"]["RunBacktestAnswer"];
                    };
                };
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchAnswer"];
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
        /** Your newest run on the server */
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
                        "application/json": components["schemas"]["LastBacktestAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
        /** Runs kept under a name */
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
                        "application/json": components["schemas"]["SavedRunsAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
        /** Forget a kept run */
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
                        "application/json": components["schemas"]["SavedRunsAnswer"];
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
    "/api/backtest/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The saved backtest screen */
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
                        "application/json": components["schemas"]["SavedStateAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
                        "application/json": components["schemas"]["SavedStateAnswer"];
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
        /** Forget the saved backtest screen */
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
                        "application/json": components["schemas"]["SavedStateAnswer"];
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
                        "application/json": components["schemas"]["SearchesAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
                        "application/json": components["schemas"]["SearchAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
    "/api/backtest/searches/{id}/trials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Figures of every set of a long search that is done */
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
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
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
                        "application/json": components["schemas"]["SearchAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                503: components["responses"]["Problem503"];
            };
        };
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
                        "application/json": components["schemas"]["SharedBacktestAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
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
    "/api/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your credits and what happened to them */
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
                        "application/json": components["schemas"]["CreditsAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
        /** What changes, as it changes */
        get: {
            parameters: {
                query?: {
                    /** @description Symbols whose prices the stream carries, with commas between them; at most 220. */
                    symbols?: string;
                    /** @description Where to resume, for clients that cannot send the header `Last-Event-ID`. */
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
                        "text/event-stream": components["schemas"]["EventsAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
                        "application/json": components["schemas"]["PrivacyAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
            };
        };
        /** Change what you allow */
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
                        "application/json": components["schemas"]["PrivacyAnswer"];
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
        /** Everything this product holds about you, as one JSON document */
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
                        "application/json": components["schemas"]["ExportAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
        /** One of your files, as it is stored */
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
        /** Whether your account is to be deleted */
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
                        "application/json": components["schemas"]["DeletionAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
            };
        };
        put?: never;
        /** Delete your account after the grace period; every session ends at once */
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
                        "application/json": components["schemas"]["DeletionAnswer"];
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
        /** Keep your account after all */
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
                        "application/json": components["schemas"]["DeletionAnswer"];
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
                        "application/json": components["schemas"]["ProfileAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
            };
        };
        /** Change your display name and bio */
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
                        "application/json": components["schemas"]["ProfileAnswer"];
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
                        "application/json": components["schemas"]["ProfileAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
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
        /** A picture of a profile, for its owner, or for everybody while the profile is public */
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
                        "application/json": components["schemas"]["ProfileAnswer"];
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
                        "application/json": components["schemas"]["ProfileAnswer"];
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
                        "application/json": components["schemas"]["ProfileAnswer"];
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
                        "application/json": components["schemas"]["ProfileAnswer"];
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
        /** Simulated results of people who allow it, ranked by return on margin */
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
                        "application/json": components["schemas"]["RankingAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
                        "application/json": components["schemas"]["FollowAnswer"];
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
                        "application/json": components["schemas"]["FollowAnswer"];
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
        /** Aggregate results of all users' backtests, without personal data */
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
                        "application/json": components["schemas"]["ResearchAnswer"];
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
    "/api/watchlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The symbols you watch */
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
                        "application/json": components["schemas"]["WatchlistAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
                        "application/json": components["schemas"]["WatchlistAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
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
         * @description Answers with the list that is left, also when the symbol was not on it.
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
                        "application/json": components["schemas"]["WatchlistAnswer"];
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
    "/api/futures-signal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The signal of one symbol at its last closed candle (costs no credit) */
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
                        "application/json": components["schemas"]["SignalAnswer"];
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
        /** Several intervals of one symbol as one opinion (costs no credit) */
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    /** @description Intervals with commas between them; 15m,1h,4h when absent. */
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
                        "application/json": components["schemas"]["SignalAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
    "/api/tuning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your signal tuning and its versions */
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
                        "application/json": components["schemas"]["TuningAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
                503: components["responses"]["Problem503"];
            };
        };
        /** Change your signal tuning */
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
                        "application/json": components["schemas"]["TuningAnswer"];
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
        /** Forget a version of your tuning */
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
                        "application/json": components["schemas"]["TuningAnswer"];
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
         * @description The credit is set aside now and spent when the results are stored; a scan that fails or is cancelled gives it back. Follow it by `GET /api/scan/{id}` or the event stream.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes a repetition safe: the same key and body give the first answer again for 24 hours. */
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
         * Cancel a scan; its credit comes back
         * @description At most 30 scans that are under way in an hour: one more is refused and runs to its end.
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
                        "application/json": components["schemas"]["ScanAnswer"];
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
        /** Your last scan, and one under way */
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
                        "application/json": components["schemas"]["LastScanAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
         * Scans the service runs while you are away
         * @description Every 10 minutes, 1 credit each, while `keep_scanning` of your preferences is on and you have not scanned yourself in the last 10 minutes. At 0 credits it stops and stays off.
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
                        "application/json": components["schemas"]["AwayAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
                        "application/json": components["schemas"]["ScanAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
    "/api/scan/{id}/candidates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of everything a scan looked at */
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
                        "application/json": components["schemas"]["CandidatesAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
         * A second opinion on one result of your scan
         * @description Ten of them are included in the credit of a scan; call one after the other, 120 ms apart (at most 50 in 6 seconds). 200: the model approved, or no model is set up (`ai_state: offline`) and `rule_check` says whether the built-in rules passed. 409 `ai_rejected`: the model did not approve, with `rationale`. 503 `ai_offline`: there is no verdict, `reason` says why; treat the result as not approved. A verdict is stored and the same result is never asked about again; a repeated call only applies `softApproval` and `allowAiCorrectionOnReject` anew.
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
                        "application/json": components["schemas"]["AiCheckAnswer"];
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
        /** The record of signals, losers included; nothing in it can be changed */
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
                        "application/json": components["schemas"]["HistoryAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
        /** Signal outcomes: hit rate, results after fees, calibration */
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
                        "application/json": components["schemas"]["PerformanceAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
        /** The public record: the outcome of every signal, and what AI checks added */
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
                        "application/json": components["schemas"]["ScoreboardAnswer"];
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
    "/api/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your simulated positions, open or closed */
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
                        "application/json": components["schemas"]["PositionsAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        /**
         * Open a simulated position
         * @description From a result of one of your scans, or with levels of your own. The server fills it at its own last price. A refusal carries `reason` as in a preview, and as `rule` the `detail` of one. At most 60 in a minute.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes a repetition safe: the same key and body give the first answer again for 24 hours. */
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
                        "application/json": components["schemas"]["OpenedAnswer"];
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
        /** What your closed positions add up to, and your equity over time */
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
                        "application/json": components["schemas"]["AnalyticsAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
        /** What was not opened in the last 30 days, and why */
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
                        "application/json": components["schemas"]["SkipsAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
        /** One position with everything that happened to it */
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
                        "application/json": components["schemas"]["PositionAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
    "/api/positions/auto": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last run of automatic opening, with every skip and its reason */
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
                        "application/json": components["schemas"]["LastRunAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
                503: components["responses"]["Problem503"];
            };
        };
        put?: never;
        /**
         * Open what a scan found, by your rules
         * @description After its AI checks: only approved results open. Sent again for the same scan it gives the same run and opens nothing more.
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
                        "application/json": components["schemas"]["AutoRunAnswer"];
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
         * Whether positions are opened by themselves, and what holds them back
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
                        "application/json": components["schemas"]["GuardsAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
        /** Go on after the drawdown guard stopped: it measures from now on */
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
                        "application/json": components["schemas"]["GuardsAnswer"];
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
        /** What opening would do now: size, levels, liquidation, loss at the stop, fees */
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
                        "application/json": components["schemas"]["PreviewAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                413: components["responses"]["Problem413"];
                415: components["responses"]["Problem415"];
                422: components["responses"]["Problem422"];
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
         * Close a position of yours now
         * @description At the server’s own last price; refused when there is no fresh one.
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
                        "application/json": components["schemas"]["ClosedAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
                409: components["responses"]["Problem409"];
                503: components["responses"]["Problem503"];
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
        /** Where messages about your scans, credits and positions go */
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
                        "application/json": components["schemas"]["NotificationsAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
        /** Deliveries to your targets, with their results */
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
                        "application/json": components["schemas"]["DeliveriesAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
        /** Set the URL messages are posted to */
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
                        "application/json": components["schemas"]["SecretAnswer"];
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
        /** Forget where messages by webhook go */
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
                        "application/json": components["schemas"]["NotificationsAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
            };
        };
        options?: never;
        head?: never;
        /** Switch messages by webhook on or off, or choose what they are about */
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
                        "application/json": components["schemas"]["NotificationsAnswer"];
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
         * Replace the key your webhook is signed with
         * @description For 24 hours each message is signed with both keys, so that a receiver can change over in between.
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
                        "application/json": components["schemas"]["RenewedAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
                404: components["responses"]["Problem404"];
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
        /** A link that opens the bot and links your chat */
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
                        "application/json": components["schemas"]["TelegramLinkAnswer"];
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
                        "application/json": components["schemas"]["TestAnswer"];
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
        /** Forget where messages by telegram go */
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
                        "application/json": components["schemas"]["NotificationsAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
                403: components["responses"]["Problem403"];
            };
        };
        options?: never;
        head?: never;
        /** Switch messages by telegram on or off, or choose what they are about */
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
                        "application/json": components["schemas"]["NotificationsAnswer"];
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
                        "application/json": components["schemas"]["TestAnswer"];
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
        /** Send a failed message again */
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
                        "application/json": components["schemas"]["DeliveriesAnswer"];
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
         * @description While an invoice of yours is open the answer is that one (`is_existing`), not a new address. The order is stored before the provider is asked. A refusal by the provider carries its own words as `provider_detail`.
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
         * @description `cancelled` is false when there was nothing to cancel; that is no error. Money that arrives later is still credited.
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
                        "application/json": components["schemas"]["CancelPaymentAnswer"];
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
    "/api/billing/now/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Status of one payment */
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
        /** Your payments, newest first */
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
                        "application/json": components["schemas"]["PaymentsAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
        /** One payment with everything that happened to it */
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
                        "application/json": components["schemas"]["PaymentDetailAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
        /** Your latest payment, or your latest pending one */
        get: {
            parameters: {
                query?: {
                    /** @description Gives the latest PENDING payment made within so many hours; 1 when only `status` is given. */
                    hours?: number;
                    /** @description Only a pending payment is looked for. */
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
                        "application/json": components["schemas"]["LatestPaymentAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
        /** Payment methods with network, minimum and your last use */
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
                        "application/json": components["schemas"]["MethodsAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
        /** What a purchase costs in coins now, and the least the provider takes */
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
                        "application/json": components["schemas"]["EstimateAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
         * Signed address of the card widget
         * @description Opens an order for it, or gives the address of the open one. Credits come from the notification of the provider only, never from the address people come back to. Without keys it is the sandbox, which gives no credits.
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
                        "application/json": components["schemas"]["CardUrlAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
        /** Notification of NOWPayments, signed */
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
                        "application/json": components["schemas"]["NoticeAnswer"];
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
        /** Notification of MoonPay, signed */
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
                        "application/json": components["schemas"]["NoticeAnswer"];
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
        /** Credits bought and used by month, and how payments went by method */
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
                        "application/json": components["schemas"]["PaymentAnalyticsAnswer"];
                    };
                };
                401: components["responses"]["Problem401"];
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
         * Your receipts, newest first
         * @description Issued within seconds after credits were added, or taken back by a refund.
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
                        "application/json": components["schemas"]["ReceiptsAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
        /** The receipts of a year as CSV */
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
                        "application/json": components["schemas"]["ReceiptAnswer"];
                    };
                };
                400: components["responses"]["Problem400"];
                401: components["responses"]["Problem401"];
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AiCheckAnswer: {
            /** Format: uuid */
            scan_id: string;
            symbol: string;
            interval: string;
            /**
             * @description `online`: a model is set up and was not asked yet; `approved`, `rejected`: its verdict; `offline`: no model is set up, or it gave no verdict.
             * @enum {string}
             */
            ai_state: "online" | "approved" | "rejected" | "offline";
            /** @description Beside `offline` where no model is set up: what the built-in rules say. It gates opening as the AI check does. null where a model judges. */
            rule_check: ("not_run" | "passed" | "not_passed") | null;
            /** @description A model's verdict; null without one. */
            aiApproved: boolean | null;
            aiRationale: string | null;
            aiProposal: {
                tags: string[];
                horizon_min: number | null;
                stop_loss_pct_suggest: number | null;
                take_profit_pct_suggest: number | null;
            } | null;
            suggestedRiskMultiplier: number | null;
            /** @description Distances from the entry in percent that replace the engine's levels; null leaves them. */
            correction: {
                stop_loss_pct: number;
                take_profit_pct: number;
            } | null;
            /** @description built_in: stated rules, no AI model. */
            decided_by: ("model" | "built_in") | null;
            /** @description The model's id, or the version of the built-in rules. */
            model: string | null;
            /** @description Why there is no verdict; null when there is one. */
            reason: string | null;
            checks_left: number;
        };
        AiCheckBodyInput: {
            /**
             * Format: uuid
             * @description A scan of yours that is done; its credit includes ten checks.
             */
            scan_id: string;
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            /**
             * @description Taken for callers that send it. What is judged is the result as the scan stored it, on the candles of the scan.
             * @default 200
             */
            limit?: components["schemas"]["CandleLimit"];
            /** @description When given, the value the scan was made with: another one needs another scan. */
            balance?: components["schemas"]["Balance"];
            /** @description When given, the value the scan was made with: another one needs another scan. */
            riskTolerance?: components["schemas"]["RiskTolerance"];
            /** @description When given, the value the scan was made with: another one needs another scan. */
            leverage?: components["schemas"]["Leverage"];
            /** @description When given, the value the scan was made with: another one needs another scan. */
            tuning?: {
                adx: number;
                supertrend: number;
                ema_cross: number;
                sma_cross: number;
                pivot: number;
                vwap: number;
                mfi: number;
                donchian: number;
                ich_align: number;
                ich_cloud: number;
                news: number;
            };
            /**
             * @description A reject passes with the stop and target the analyst proposes.
             * @default false
             */
            allowAiCorrectionOnReject?: boolean;
            /**
             * @description A reject passes with at most half the size.
             * @default false
             */
            softApproval?: boolean;
        };
        /** @description An error; after a check with what the check found. */
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
            /** Format: uuid */
            scan_id?: string;
            symbol?: string;
            interval?: string;
            /**
             * @description `online`: a model is set up and was not asked yet; `approved`, `rejected`: its verdict; `offline`: no model is set up, or it gave no verdict.
             * @enum {string}
             */
            ai_state?: "online" | "approved" | "rejected" | "offline";
            /** @description Beside `offline` where no model is set up: what the built-in rules say. It gates opening as the AI check does. null where a model judges. */
            rule_check?: ("not_run" | "passed" | "not_passed") | null;
            /** @description A model's verdict; null without one. */
            aiApproved?: boolean | null;
            aiRationale?: string | null;
            aiProposal?: {
                tags: string[];
                horizon_min: number | null;
                stop_loss_pct_suggest: number | null;
                take_profit_pct_suggest: number | null;
            } | null;
            suggestedRiskMultiplier?: number | null;
            /** @description Distances from the entry in percent that replace the engine's levels; null leaves them. */
            correction?: {
                stop_loss_pct: number;
                take_profit_pct: number;
            } | null;
            /** @description built_in: stated rules, no AI model. */
            decided_by?: ("model" | "built_in") | null;
            /** @description The model's id, or the version of the built-in rules. */
            model?: string | null;
            /** @description Why there is no verdict; null when there is one. */
            reason?: string | null;
            checks_left?: number;
            /** @description Of 409: the same as aiRationale. */
            rationale?: string | null;
        };
        AiValue: {
            /** @enum {string} */
            decided_by: "model" | "built_in";
            /** @description The model's id, or the version of the built-in rules. */
            model: string;
            /** @description Checked signals that are not resolved yet. */
            open: number;
            /** @description Resolved, but near-identical to one that is counted. */
            repeats: number;
            /** @description At least `needed` passed and as many were vetoed. */
            is_enough: boolean;
            needed: number;
            all: components["schemas"]["OutcomeGroup"];
            passed: components["schemas"]["OutcomeGroup"];
            vetoed: components["schemas"]["OutcomeGroup"];
            /** @description Mean result when as many are vetoed blindly, with the 95 % band of chance; null: not enough. */
            random: {
                mean: number;
                low: number;
                high: number;
            } | null;
            /** @description Mean result of what passed less that of the blind veto. */
            value_added: number | null;
            /** @description Share of blind vetoes of the same rate that do at least as well. */
            p_value: number | null;
        };
        AnalyticsAnswer: {
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
        AnalyticsGroup: {
            name: string;
            trades: number;
            wins: number;
            pnl: number;
            net_pnl: number;
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
        };
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
            finished_at: string | null;
            opened: number;
            skipped: number;
            failed: number;
            /** @description Why nothing was opened; null when something was. */
            reason: components["schemas"]["SkipReason"] | null;
            /** @description It opened the first positions that were opened by themselves for you. */
            is_first: boolean;
            /** @description Why the scan may open nothing: it ended longer ago than its shortest interval. null: it was not refused. */
            refused: "scan_too_old" | null;
            /** @description `Auto position opened: {side} {symbol}` each, `Auto open failed for n/m` when some failed, or why all was refused. */
            messages: string[];
            items: components["schemas"]["AutoItem"][];
        };
        AutoRunAnswer: {
            run: components["schemas"]["AutoRun"];
            /** @description true: this call ended the run. false: the run had ended before, and nothing was done. */
            is_new: boolean;
        };
        AwayAnswer: {
            /** @description `keep_scanning` of your preferences. Goes off by itself at 0 credits. */
            is_on: boolean;
            /** @description The newest scan the service started for you, or could not start. */
            last: {
                /** Format: date-time */
                at: string;
                scan_id: string | null;
                /** @enum {string} */
                status: "queued" | "running" | "done" | "failed" | "cancelled" | "refused";
                /** @description Why it failed, or was refused. */
                message: string | null;
            } | null;
        };
        /** @description What it takes to repeat the run. */
        BacktestSetup: {
            exchange: string | null;
            /** @description The symbol, or what the own candles are called. */
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
                /**
                 * @default market
                 * @enum {string}
                 */
                takeProfitOrder: "market" | "limit";
                /** @default 1000 */
                initialEquity: number;
                /** @default 1000 */
                notional: number;
                /** @default 10 */
                leverage: number;
                /** @default 0.005 */
                maintenanceMarginFraction: number;
                /**
                 * @description What is charged: the settled rates, `assumedFundingFraction` at 0, 8 and 16 h UTC, or nothing.
                 * @default history
                 * @enum {string}
                 */
                fundingSource: "history" | "assumed" | "off";
                /**
                 * @description What longs pay at each assumed funding, a fraction of the notional.
                 * @default 0.0001
                 */
                assumedFundingFraction: number;
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
            };
        };
        Balance: number;
        /** @description The best set as a whole backtest, run once more by itself. */
        BestRun: {
            /** @description Net USDT after fees and funding; the same as `netPnl`. */
            pnl: number;
            /** @description Number of trades; the trades themselves are in `tradeList`. */
            trades: number;
            /** @description Largest fall of mark-to-market equity from its peak, a fraction. */
            maxDrawdown: number;
            /** @description The parameters of this result. */
            bestParams: components["schemas"]["StrategyParams"];
            /** @description What all trades earned after slippage, fees and funding, in USDT. Formula: net = gross PnL - fees - funding. */
            netPnl: number;
            /** @description Net PnL when in every bar that holds both stop and target the stop came first. It is the net PnL shown unless the target is taken first. */
            pessimisticNetPnl: number;
            /** @description Net PnL when in every bar that holds both stop and target the target came first. The net PnL takes the stop first unless the setup says otherwise; the truth is most often between the two bounds: another exit can lead to other trades. */
            optimisticNetPnl: number;
            /** @description Share of the trades with a net PnL above 0. High win rates are easy to buy with small targets: read it with the expectancy. Formula: winners / trades. None when: no trade. */
            winRate: number | null;
            /** @description Closed trades, one at a time. A trade that is open at the last candle is closed by force and counted apart as END. */
            tradeCount: number;
            /** @description Largest fall of mark-to-market equity from its highest point so far, open positions included. Above 10 % it is marked. Formula: max((peak - equity) / peak). */
            maxDrawdownFraction: number;
            /** @description Mean daily return over its deviation, per year. From UTC days of mark-to-market equity; needs 30 days from the first open to the last close, else it would mislead. Formula: mean / sample deviation x sqrt(365). None when: less than 30 days, no variation, or an equity that was used up. */
            sharpe: components["schemas"]["Statistic"];
            /** @description Like the Sharpe ratio, but only falling days count as risk. Formula: mean / downside deviation x sqrt(365). None when: less than 30 days, no variation, or an equity that was used up, or no day that lost. */
            sortino: components["schemas"]["Statistic"];
            /** @description Net winnings over net losses. Above 1 the trades earned; without a loss there is no figure. Formula: sum of wins / sum of losses. None when: no losing trade. */
            profitFactor: number | null;
            /** @description Average net PnL of a trade, in USDT. Formula: net PnL / trades. None when: no trade. */
            expectancy: number | null;
            /** @description Share of the scored candles with an open position. */
            exposureFraction: number;
            /** @description All fees paid, entries and exits, in USDT. A liquidation loses the whole margin; its fee is inside that loss. Formula: sum of notional x rate. */
            fees: number;
            /** @description Share of all trades that ended in a bar which held both the target and the stop or liquidation price: which came first cannot be known from the candle. The loss is taken, unless the run says target first. */
            ambiguousFraction: number;
            /** @description Return of one position of the same size, bought at the start of the window and sold at its end, fees included, on the start equity. */
            buyAndHoldFraction: number;
            /** @description Price differences at the fills, before fees and funding. Slippage is already inside. Formula: sum of (exit - entry) x side x quantity. */
            grossPnl: number;
            /** @description What the fills lost against the undisturbed prices. */
            slippage: number;
            /** @description Payments between longs and shorts at the funding times the position was held. Longs pay a positive rate. Formula: side x quantity x mark x rate. */
            funding: number;
            /** @description Loaded candle in which a close left no equity. Trading stops there. None when: the equity was never used up. */
            ruinIndex: number | null;
            /** @description Places where the next loaded candle is late. Indicators and holding times count candles, not hours. */
            gapCount: number;
            /** @description Candles that are missing in the holes of the data. */
            missingCandleCount: number;
            /** @description Candles the run was given: those that warm up the indicators and those that are scored. */
            loadedCount: number;
            /** @description Candles the run trades on, at the end of the loaded ones. Every figure rests on them. */
            scoredCount: number;
            /** @description Closed trades that were long. */
            longCount: number;
            /** @description Closed trades that were short. */
            shortCount: number;
            /** @description Trades whose stop was not nearer than the liquidation price: it could not protect them. */
            stopBeyondLiquidationCount: number;
            /** @description False when funding is assumed or off, or its history is absent or has a hole of more than 8 hours. */
            isFundingKnown: boolean;
            /** @description Signals that could not be filled: the next candle had no volume, the size was below the minimum, or the equity left did not cover the smallest order. */
            droppedSignalCount: number;
            /** @description Signals that met an open position. There is one position at a time. */
            skippedSignalCount: number;
            /** @description Positions that the venue closed because their margin no longer held them. Each loses its whole margin. */
            liquidationCount: number;
            /** @description Trades that were open at the last candle and closed there. They say nothing about the exits. */
            forcedCloseCount: number;
            /** @description Why signals were not filled: no volume, below the minimum size, equity left does not cover the smallest order. */
            droppedSignals: {
                noVolume: number;
                tooSmall: number;
                marginShort: number;
            };
            /** @description UTC days with a scored candle; the daily figures rest on them. */
            dayCount: number;
            /** @description Growth of the equity as if it went on like this for a year, compounded. Not given below 30 days: a short run would promise the absurd. Formula: (end equity / start equity)^(365 / days) - 1. None when: less than 30 days, or an equity that was used up. */
            annualReturnFraction: number | null;
            /** @description Change of the price itself from the open of the first scored candle to the close of the last. Formula: last close / first open - 1. */
            marketChangeFraction: number;
            /** @description Return per year that is left on days when the market stands still: what does not come from being long or short of it. Formula: (mean daily return - beta x mean daily market return) x 365. None when: less than 30 days, or an equity that was used up, or a market that did not move. */
            alphaFraction: number | null;
            /** @description How far the equity moves with the market: 1 like holding the whole equity long, 0 not at all, below 0 against it. Formula: covariance(daily return, market return) / variance(market return). None when: less than 30 days, or an equity that was used up, or a market that did not move. */
            beta: number | null;
            /** @description Largest daily return of mark-to-market equity, by UTC days. None when: the equity was used up. */
            bestDayFraction: number | null;
            /** @description Smallest daily return of mark-to-market equity, by UTC days. None when: the equity was used up. */
            worstDayFraction: number | null;
            /** @description UTC days that ended with more equity than they began with. None when: the equity was used up. */
            wonDayCount: number | null;
            /** @description UTC days whose equity did not change: no position was held. None when: the equity was used up. */
            flatDayCount: number | null;
            /** @description UTC days that ended with less equity than they began with. None when: the equity was used up. */
            lostDayCount: number | null;
            /** @description Net profit per year, not compounded, for each unit of the worst fall. Formula: (net PnL / start equity) x (365 / days) / max drawdown. None when: less than 30 days, or no drawdown. */
            calmar: number | null;
            /** @description All that the rising days gave over all that the falling days took. Above 1 the days earned. Formula: sum of daily gains / sum of daily losses. None when: less than 30 days, or an equity that was used up, or no day that lost. */
            omega: number | null;
            /** @description Largest fall of mark-to-market equity from its highest point so far, in USDT. Formula: max(peak - equity). */
            maxDrawdownUsdt: number;
            /** @description Most candles in a row that closed below the highest equity so far. It may not have ended yet. */
            longestUnderwaterCandles: number;
            /** @description Share of the scored candles that closed below the highest equity so far. */
            underwaterFraction: number;
            /** @description Mean net PnL of a trade over its deviation, times the root of their number: the t value of the mean. Formula: mean / sample deviation x sqrt(trades). None when: fewer than 30 trades, or no variation. */
            sqn: number | null;
            /** @description How often trades without any edge would have a mean this good or better, if they were independent and this the only set ever tried. The honesty panel counts the others. Formula: P(T >= SQN), Student t with trades - 1 degrees of freedom. None when: fewer than 30 trades, or no variation. */
            meanPValue: number | null;
            /** @description Share of the equity to put at risk for the fastest growth, if the future had exactly these rates. It has not: treat it as a ceiling. Below 0: do not bet. Formula: win rate - (1 - win rate) / payoff ratio. None when: fewer than 30 trades, no winner, or no loser. */
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
            /** @description Average net PnL of a trade for each unit of the average loss. Formula: expectancy / average loss. None when: no losing trade. */
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
            /** @description Of the target in training; null when no set met its conditions. */
            value: number | null;
            reason?: string;
            /** @description Figures of the best set on the window of the search. */
            train: {
                [key: string]: unknown;
            };
        };
        Calibration: {
            count: number;
            /** @description Mean squared difference of confidence and outcome. */
            brier: number | null;
            /** @description What always stating the win rate would score. */
            brier_of_base_rate: number | null;
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
        CancelPaymentAnswer: {
            /** @description False when there was no pending payment of this order; nothing was changed then. */
            cancelled: boolean;
            payment: components["schemas"]["Payment"] | null;
        };
        CancelPaymentBodyInput: {
            /** Format: uuid */
            order_id: string;
            /**
             * @description `expired` when the countdown has reached zero; stored as EXPIRED.
             * @default cancelled
             * @enum {string}
             */
            reason?: "cancelled" | "expired";
        };
        CandidatesAnswer: {
            candidates: {
                symbol: string;
                /** @description `*` when the symbol was left out as a whole. */
                interval: string;
                /** @enum {string} */
                outcome: "ELIGIBLE" | "NEUTRAL" | "LOW_CONF" | "ZERO_QTY" | "NO_MATCH";
                filtered_by: string | null;
                confidence: number | null;
                signal_id: string | null;
            }[];
        };
        CandleLimit: number;
        CardUrlAnswer: {
            /** @description Signed address of the widget, for an iframe. */
            url: string;
            /** @description Origin of the widget; messages of another origin are not from it. */
            origin: string;
            /** @description null when cards are not configured: the sandbox is shown and gives no credits. */
            order_id: string | null;
            amount: number;
            is_configured: boolean;
            is_sandbox: boolean;
        };
        ChallengeAnswer: {
            /** @description Send it with a code to `POST /api/auth/second-factor` within 10 minutes. */
            challenge: string;
        };
        /** @enum {string} */
        CloseReason: "LIQ" | "SL" | "TP" | "MANUAL";
        ClosedAnswer: {
            position: components["schemas"]["Position"];
        };
        CodeRequest: {
            /** @description Six digits of the authenticator, or a recovery code. */
            code: string;
        };
        ConfirmEmailRequest: {
            token: string;
        };
        ConfirmSignUpRequest: {
            token: string;
            password: string;
        };
        ConfirmationSentAnswer: {
            user: null;
            /** @constant */
            confirmation_sent: true;
        };
        CostsInput: {
            /** @default 0.0005 */
            takerFeeFraction?: number;
            /** @default 0.0002 */
            makerFeeFraction?: number;
            /** @default 0.0001 */
            slippageFraction?: number;
            /** @default 0.0002 */
            stopSlippageFraction?: number;
            /**
             * @default market
             * @enum {string}
             */
            takeProfitOrder?: "market" | "limit";
            /** @default 1000 */
            initialEquity?: number;
            /** @default 1000 */
            notional?: number;
            /** @default 10 */
            leverage?: number;
            /** @default 0.005 */
            maintenanceMarginFraction?: number;
            funding?: components["schemas"]["Funding"];
            /**
             * @description What is charged: the settled rates, `assumedFundingFraction` at 0, 8 and 16 h UTC, or nothing.
             * @default history
             * @enum {string}
             */
            fundingSource?: "history" | "assumed" | "off";
            /**
             * @description What longs pay at each assumed funding, a fraction of the notional.
             * @default 0.0001
             */
            assumedFundingFraction?: number;
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
        };
        CreatePaymentBody: {
            /** @description US dollars to pay; the same number of credits is bought. */
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
        CreditsAnswer: {
            /** @description Whole credits that can be spent now; 1 credit was 1 USD. */
            balance: number;
            /** @description The same as `balance`, under its other name. */
            credits: number;
            /** @description Set aside for work under way; spent when it ends well, given back otherwise. */
            held: number;
            /** @description The newest 20 entries, newest first. */
            entries: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                at: string;
                /**
                 * @description Given; set aside; spent for good (what was set aside stays away); given back.
                 * @enum {string}
                 */
                kind: "grant" | "hold" | "capture" | "release";
                /**
                 * @example welcome
                 * @example scan
                 */
                reason: string;
                /** @description What the entry added to the balance; the sum of all entries is the balance. */
                credits: number;
                /** @description What it was for, e.g. the id of a scan. */
                ref: string | null;
                note: string | null;
            }[];
        };
        /** @description Both null without a session. */
        CurrentSessionAnswer: {
            user: components["schemas"]["User"] | null;
            expires_at: string | null;
        };
        /** @description Both times are null when no deletion was requested. */
        DeletionAnswer: {
            requested_at: string | null;
            /** @description From then on everything is erased. */
            erase_after: string | null;
            can_cancel: boolean;
            /** @description False for the demo account, which is everybody’s. */
            is_deletable: boolean;
            /** @description How long a request can be cancelled here. */
            grace_days: number;
        };
        DeletionRequest: {
            /** @description The address of the account, typed again so that no click alone deletes it. */
            email: string;
        };
        DeliveriesAnswer: {
            /** @description The newest 50, newest first; kept for 30 days. */
            deliveries: {
                /**
                 * Format: uuid
                 * @description Part of `webhook-id`, the same for every attempt.
                 */
                id: string;
                /** @enum {string} */
                channel: "telegram" | "webhook";
                /** @enum {string} */
                kind: "scan_finished" | "credits_low" | "position_opened" | "position_closed" | "test";
                /** @enum {string} */
                state: "waiting" | "sent" | "failed";
                attempt_count: number;
                next_attempt_at: string | null;
                /** @description HTTP status of the last attempt. */
                status: number | null;
                failure: string | null;
                /** Format: date-time */
                created_at: string;
                finished_at: string | null;
            }[];
        };
        DoneAnswer: {
            /** @constant */
            done: true;
        };
        EmailAnswer: {
            email: string;
        };
        EmailChangeRequestInput: {
            email: components["schemas"]["EmailInput"];
        };
        EmailInput: string;
        EstimateAnswer: {
            amount: number;
            /** @description Decimal number as text, exact to its last digit. */
            pay_amount: string;
            pay_currency: string;
            minimum_usd: number;
            /** @description The provider takes no payment as small as this one now. */
            is_below_minimum: boolean;
        };
        /** @description Server-sent events. `ready` opens the stream; `resync` says that something may have been missed: ask again for all you show. `preferences`, `watchlist`, `credits`, `scan`, `positions` and `session` say what changed, `prices` carries the last prices of the symbols asked for, at most once a second. `session` with `ended` true is the last event of a session. */
        EventsAnswer: string;
        /**
         * @description Where the data comes from.
         * @enum {string}
         */
        ExchangeName: "binance" | "bybit" | "okx";
        ExportAnswer: {
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
            /** @description Files, to be fetched by `url`. */
            files: {
                path: string;
                url: string;
            }[];
        };
        /** @enum {string} */
        ExternalStatus: "ok" | "degraded" | "down" | "unknown";
        FinishSignInRequest: {
            challenge: string;
            /** @description Six digits of the authenticator, or a recovery code. */
            code: string;
        };
        FollowAnswer: {
            username: string;
            is_followed: boolean;
        };
        /** @description Funding history: stamps (epoch ms, increasing), rates that longs pay, mark prices when known. */
        Funding: {
            time: number[];
            rate: number[];
            mark?: number[];
        };
        FundingAnswer: {
            symbol: string;
            exchange: components["schemas"]["ExchangeName"];
            /**
             * @description Only live data comes from a real exchange.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @description Milliseconds since the exchange last confirmed this answer. */
            data_age_ms: number;
            /** @description What longs pay shorts next, as it stands now; 0.0001 is 0.01 %. */
            funding_rate: number;
            /** Format: date-time */
            next_funding_at: string;
            interval_hours: number | null;
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
             * @description Closed candles the signal is computed from.
             * @default 500
             */
            limit?: components["schemas"]["CandleLimit"];
            /**
             * @description Simulated capital, USDT.
             * @default 1000
             */
            balance?: components["schemas"]["Balance"];
            /**
             * @description A position loses 0.5 %, 1 % or 2 % of the balance at its stop, costs included.
             * @default medium
             */
            riskTolerance?: components["schemas"]["RiskTolerance"];
            /** @default 10 */
            leverage?: components["schemas"]["Leverage"];
            /**
             * @description Longer intervals that have a say too; each counts half as much as `interval`.
             * @default []
             */
            intervals?: components["schemas"]["IntervalName"][];
            /** @description Instead of your saved tuning. */
            tuning?: {
                adx: number;
                supertrend: number;
                ema_cross: number;
                sma_cross: number;
                pivot: number;
                vwap: number;
                mfi: number;
                donchian: number;
                ich_align: number;
                ich_cloud: number;
                news: number;
            };
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
            /** @description When it lets go by itself; null: never, or it does not hold. */
            until: string | null;
        };
        GuardsAnswer: {
            /** @description Automatic opening is on and no guard holds it. */
            armed: boolean;
            auto_open_enabled: boolean;
            guards: components["schemas"]["GuardState"][];
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
        HealthAnswer: {
            /** @enum {string} */
            status: "ok" | "degraded";
            message: string;
            /** Format: date-time */
            timestamp: string;
            /** @description Milliseconds of the round trip to the database, measured at most a second ago. */
            responseTime: number;
            /** @description Seconds since this server process started. */
            uptime: number;
            /** @description The exchanges, as last seen. */
            external_api_status: components["schemas"]["ExternalStatus"];
            /** @description Errors no handler caught since this server process started; `degraded` for ten minutes after one. */
            unexpected_errors: number;
            /** @description Background jobs that ended the server twice and are not run again, of the last day. */
            jobs_set_aside: number;
        };
        HistoryAnswer: {
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
                price: number;
                stop_loss: number;
                take_profit: number;
                horizon_min: number;
                risk_label: string;
                /** @description Whether a scan of yours found it. */
                mine: boolean;
                hashes: {
                    engine: string;
                    data: string;
                    params: string;
                };
                /** @description null while it is open; open is not lost. */
                outcome: {
                    /** @enum {string} */
                    outcome: "TP" | "SL" | "TIME";
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
        IndicatorsAnswer: {
            symbol: string;
            interval: components["schemas"]["IntervalName"];
            exchange: components["schemas"]["ExchangeName"];
            /** @enum {string} */
            market: "simulated" | "replay" | "live";
            data_age_ms: number;
            candle_close_at: string | null;
            /** @description Closed candles the values were computed from. */
            candle_count: number;
            /**
             * @description Value at the last closed candle; null while there are too few candles for it.
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
             * @description true also returns every value, one per candle.
             * @default false
             */
            series?: boolean;
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
        };
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
            /** @description An invoice was open already: this is that one, not a new address. */
            is_existing: boolean;
            payment: components["schemas"]["Payment"];
        };
        KlinesAnswer: {
            symbol: string;
            interval: components["schemas"]["IntervalName"];
            exchange: components["schemas"]["ExchangeName"];
            /**
             * @description Only live data comes from a real exchange.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @description Milliseconds since the exchange last confirmed this answer. */
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
            candle_close_at: string | null;
            /** @description Candles the exchange did not send. They are never invented. */
            gaps: {
                /** Format: date-time */
                from: string;
                /** Format: date-time */
                to: string;
                missing: number;
            }[];
        };
        LastBacktestAnswer: {
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
        LastRunAnswer: {
            run: components["schemas"]["AutoRun"] | null;
        };
        LastScanAnswer: {
            /** @description The newest that is done. */
            scan: components["schemas"]["Scan"] | null;
            /** @description One that is waiting or running. */
            active: components["schemas"]["Scan"] | null;
        };
        LatestPaymentAnswer: {
            payment: components["schemas"]["Payment"] | null;
        };
        Leverage: number;
        LeverageTier: {
            notionalFloor: number;
            maintenanceMarginFraction: number;
            /** @default 0 */
            maintenanceAmount: number;
            leverageMax: number;
        };
        LeverageTierInput: {
            notionalFloor: number;
            maintenanceMarginFraction: number;
            /** @default 0 */
            maintenanceAmount?: number;
            leverageMax: number;
        };
        /** @description At the last price, as if closed there (exit fee included in net_pnl). null: no fresh price, never a guess. */
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
             * @description Of the prices it was opened on. While the service runs on others it waits, unwatched.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @enum {string} */
            source: "scan" | "vision" | "manual";
            scan_id: string | null;
            signal_id: string | null;
            /** @description Price in quote currency. */
            entry_price: number;
            qty: number;
            leverage: number;
            /** @description entry_price x qty. */
            notional: number;
            /** @description Isolated: notional / leverage. */
            margin: number;
            /** @description In force now; trailing moves it. */
            stop_loss: number;
            /** @description Price in quote currency. */
            initial_stop_loss: number;
            /** @description Price in quote currency. */
            take_profit: number;
            /** @description null when nothing is borrowed. */
            liquidation_approx: number | null;
            confidence: number;
            /** @description Share of base x leverage that was opened; 1: all of it. */
            risk_multiplier: number;
            /** @description Net loss if the first stop is hit, fees and slippage included, as shown at the opening. */
            loss_at_stop: number;
            /** Format: date-time */
            opened_at: string;
            /** @description Since when it may close by itself; null before. */
            armed_at: string | null;
            trailing_enabled: boolean;
            trail_mode: ("percent" | "atr") | null;
            trail_callback_pct: number | null;
            trail_step_pct: number | null;
            trail_atr_mult: number | null;
            trail_atr_period: number | null;
            /** @description Move in favour after which the stop trails, percent of the entry price; null or 0: at once. */
            trail_activation_pct: number | null;
            /** @description Best price since the entry, of whole one-minute candles. */
            trail_peak: number;
            /** @description null: it is open. */
            closed_at: string | null;
            close_price: number | null;
            close_reason: components["schemas"]["CloseReason"] | null;
            /** @description Gross: price difference x direction x qty. null while open. */
            pnl: number | null;
            roi_pct: number | null;
            /** @description Charged so far: at the entry, and at the exit when closed. */
            fees: number;
            /** @description Paid so far; negative was received. */
            funding: number;
            /** @description pnl - fees - funding. */
            net_pnl: number | null;
            return_on_margin_pct: number | null;
            live: components["schemas"]["Live"];
        };
        /** @description The same whether the address has an account or not. */
        MailRequestedAnswer: {
            /** @constant */
            requested: true;
        };
        /** @description 95 %, normal. */
        MeanInterval: {
            low: number;
            high: number;
        } | null;
        MeasuredAnswer: {
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
            /** @description From the arrival of a request to the end of its answer, on the server. */
            latency: {
                windowMinutes: number;
                /** @description Market data requests answered with 200 in the window, on this node. */
                count: number;
                /** @description Below so many there are no figures. */
                countMin: number;
                p50Ms: number | null;
                p95Ms: number | null;
            };
            /** @description From the click to the loaded product, in browsers. */
            pageLoads: {
                windowMinutes: number;
                /** @description Loads that browsers of people who allow analytics reported, on this node. */
                count: number;
                /** @description Below so many there are no figures. */
                countMin: number;
                p50Ms: number | null;
                p95Ms: number | null;
            };
            /** @description From the checks the server makes of itself each minute, over the last 30 days, 7 days or 24 hours: the longest of these that has been measured whole; null before the first day is over. */
            uptime: {
                fraction: number;
                upMinutes: number;
                /** @description Of the window, from `from` on; one without a stored check counts as down. */
                minutes: number;
                /** Format: date-time */
                from: string;
            } | null;
        };
        MethodsAnswer: {
            methods: {
                method: components["schemas"]["PaymentMethod"];
                /** @example USDT */
                name: string;
                /** @example TRON (TRC-20) */
                network: string | null;
                pay_currency: string | null;
                /** @enum {string} */
                provider: "nowpayments" | "moonpay";
                /** @description Whether this installation takes payments by it. */
                is_available: boolean;
                /** @description A sandbox or practice provider: no real money moves. */
                is_sandbox: boolean;
                /** @description Least payment: ours, or that of the provider where it is higher. */
                minimum_usd: number;
                maximum_usd: number;
                default_usd: number;
                /** @description How long an invoice is open; null for cards. */
                expires_in_s: number | null;
                last_used_at: string | null;
            }[];
        };
        NewPassword: string;
        NoticeAnswer: {
            /** @constant */
            ok: true;
        };
        NotificationsAnswer: {
            /** @description The chat that was linked; null when there is none. */
            telegram: {
                name: string;
                is_on: boolean;
                /** @description What it is told of. */
                kinds: ("scan_finished" | "credits_low" | "position_opened" | "position_closed")[];
                /** @description Why the service switched it off; null when it did not. */
                off_reason: string | null;
                /** @description Since when nothing has arrived. */
                failing_since: string | null;
            } | null;
            /** @description The shared demo account: it has no targets, and none can be set. */
            is_demo: boolean;
            /** @description Whether this installation has a bot. */
            telegram_available: boolean;
            webhook: {
                url: string;
                is_on: boolean;
                /** @description What it is told of. */
                kinds: ("scan_finished" | "credits_low" | "position_opened" | "position_closed")[];
                /** @description Why the service switched it off; null when it did not. */
                off_reason: string | null;
                /** @description Since when nothing has arrived. */
                failing_since: string | null;
            } | null;
            /** @description A receiver of webhooks on this machine that keeps what it gets; in a demo only. */
            practice_receiver: string | null;
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
            /** @description The price you saw. The server opens at its own; more than 5 % away it refuses. */
            entry_price?: number;
            /** @description Sized by your settings when absent. */
            qty?: number;
            /** @description Your default when absent; capped by the symbol. */
            leverage?: components["schemas"]["Leverage"];
            /** @description Taken, not used: the server computes it. */
            liquidation_approx?: number | null;
            confidence?: number;
        };
        OpenedAnswer: {
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
            space: components["schemas"]["Space"];
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
            /** @default {} */
            space?: components["schemas"]["Space"];
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
        OptimizedAnswer: {
            best: components["schemas"]["BestRun"];
            target: components["schemas"]["OptimizeTarget"];
            seed: number;
            /** @description Candles [start, end) of the loaded ones. */
            train: {
                start: number;
                end: number;
            };
            /** @description Every set that was tried: samples and refinements. */
            trialCount: number;
            /** @description The best samples, best first. */
            leaders: {
                index: number;
                params: components["schemas"]["StrategyParams"];
                value: number;
            }[];
            walkForward?: components["schemas"]["WalkForwardResult"];
            /** @description SHA-256 over result, trades and value of every single set; the same in any browser. */
            trialsHash: string;
            /**
             * Format: uuid
             * @description Of the stored run.
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
            /** @description Missing candles inside the loaded window; they are never invented. */
            gapCount: number;
        };
        OutcomeGroup: {
            /** @description Below `needed` the figures are null: not enough data. */
            count: number;
            /** @description A fraction of the entry price: 0.02 is 2 %. */
            mean_net_fraction: number | null;
            mean_interval: components["schemas"]["MeanInterval"];
            hit_rate: number | null;
            hit_rate_interval: components["schemas"]["RateInterval"];
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
            /** @description Id at the provider; null until it has answered. */
            payment_id: string | null;
            /** @enum {string} */
            provider: "nowpayments" | "moonpay";
            method: components["schemas"]["PaymentMethod"];
            /** @description The network in words. Money sent on another network is lost. */
            network: string | null;
            /** @description Credits ordered. */
            tokens: number;
            /** @description Price in US cents. */
            amount_cents: number;
            status: components["schemas"]["PaymentStatus"];
            /** @description The last word of the provider, unchanged. */
            provider_status: string | null;
            /** @description Statuses it can still change to. With `CANCELLED` among them it can be cancelled. */
            next: components["schemas"]["PaymentStatus"][];
            /** @description Credits that were added so far, before any refund. */
            credits: number;
            /** @description Credits of it that a refund by the provider took back or still claims. */
            credits_refunded: number;
            /** @description What was unusual, for people: a partial, late or refunded payment. */
            note: string | null;
            pay_address: string | null;
            pay_amount: string | null;
            /**
             * @example usdttrc20
             * @example bnbbsc
             */
            pay_currency: string | null;
            /** @description Must be sent along where the network needs it. */
            pay_memo: string | null;
            /** @description Content of the QR code: address and amount for a wallet. */
            payment_uri: string | null;
            /** @description A page of the provider for this payment, where it has one. */
            payment_url: string | null;
            /** @description US dollars for one coin, as the invoice has it. */
            rate_usd: string | null;
            /** @description Coins that have arrived so far. */
            paid_amount: string | null;
            transaction_hash: string | null;
            /** @description The transaction in a public explorer. */
            transaction_url: string | null;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            credited_at: string | null;
        };
        PaymentAnalyticsAnswer: {
            /** @description The last twelve months (UTC), oldest first, months without movement included. */
            months: {
                /** @example 2026-11 */
                month: string;
                /** @description Credits added by payments, less refunds. */
                bought: number;
                /** @description US cents paid for them. */
                spent_cents: number;
                /** @description Credits spent for good, by operation. */
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
                /** @description Completed of all that have ended, as a fraction; null before the first. */
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
        PaymentDetailAnswer: {
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
             * @description `created`: The order was stored, before the provider was asked. `invoiced`: The provider gave an address, or the card widget was opened. `seen`: The provider knows the order and waits for money. `confirming`: Money was seen on the network and is being confirmed. `credited`: The full amount arrived; its credits were added. `late`: The full amount arrived after the order was cancelled or had expired; its credits were added. `partial`: Less than the full amount arrived; the whole credits of it were added. `child`: A further transfer to the same address arrived; the whole credits of it were added. `unmatched`: Money arrived whose value is unknown or below one credit; nothing was added. `refunded`: The provider returned the money; the credits were taken back as far as they were there. `failed`: The provider gave up on the payment, or refused it. `cancelled`: The order was cancelled. `expired`: The invoice ran out.
             * @enum {string}
             */
            kind: "created" | "invoiced" | "seen" | "confirming" | "credited" | "late" | "partial" | "child" | "unmatched" | "refunded" | "failed" | "cancelled" | "expired";
            /** @description Status of the payment after the event. */
            status: components["schemas"]["PaymentStatus"];
            provider_status: string | null;
            /** @description Id at the provider; another one than that of the payment for a further transfer. */
            payment_id: string | null;
            /** @description Credits the event added, or took back when negative. */
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
            /** @description The words of the payment provider; shown first. */
            provider_detail?: string;
        };
        /**
         * @description Canonical status, the same for every provider.
         * @enum {string}
         */
        PaymentStatus: "PENDING" | "COMPLETED" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED";
        PaymentsAnswer: {
            /** @description Newest first. */
            payments: components["schemas"]["Payment"][];
        };
        PerformanceAnswer: {
            /**
             * @description Only signals of this market are counted.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @description Every signal of the public record, losers included. */
            engine: components["schemas"]["SignalRecord"];
            /** @description Those your scans found. */
            mine: components["schemas"]["SignalRecord"];
            /** @description Signals an AI model approved in a check of yours by itself, not softly, and in time: before the next candle of their interval had closed. null before the first. */
            ai_check: components["schemas"]["SignalRecord"] | null;
            /** @description What the verdicts of your AI checks were worth beside a random veto of the same rate, by who decided. */
            ai_value: components["schemas"]["AiValue"][];
            /** @description Your saved weights and floor as a veto on the newest 5,000 resolved signals; null before the first save. */
            tuning: components["schemas"]["TuningValue"] | null;
            /** @description Each vote on the same signals. */
            votes: components["schemas"]["VoteRecord"][];
        };
        /** Format: binary */
        PictureBytes: string;
        Position: {
            /** Format: uuid */
            id: string;
            symbol: string;
            side: components["schemas"]["Side"];
            interval: components["schemas"]["IntervalName"];
            exchange: components["schemas"]["ExchangeName"];
            /**
             * @description Of the prices it was opened on. While the service runs on others it waits, unwatched.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @enum {string} */
            source: "scan" | "vision" | "manual";
            scan_id: string | null;
            signal_id: string | null;
            /** @description Price in quote currency. */
            entry_price: number;
            qty: number;
            leverage: number;
            /** @description entry_price x qty. */
            notional: number;
            /** @description Isolated: notional / leverage. */
            margin: number;
            /** @description In force now; trailing moves it. */
            stop_loss: number;
            /** @description Price in quote currency. */
            initial_stop_loss: number;
            /** @description Price in quote currency. */
            take_profit: number;
            /** @description null when nothing is borrowed. */
            liquidation_approx: number | null;
            confidence: number;
            /** @description Share of base x leverage that was opened; 1: all of it. */
            risk_multiplier: number;
            /** @description Net loss if the first stop is hit, fees and slippage included, as shown at the opening. */
            loss_at_stop: number;
            /** Format: date-time */
            opened_at: string;
            /** @description Since when it may close by itself; null before. */
            armed_at: string | null;
            trailing_enabled: boolean;
            trail_mode: ("percent" | "atr") | null;
            trail_callback_pct: number | null;
            trail_step_pct: number | null;
            trail_atr_mult: number | null;
            trail_atr_period: number | null;
            /** @description Move in favour after which the stop trails, percent of the entry price; null or 0: at once. */
            trail_activation_pct: number | null;
            /** @description Best price since the entry, of whole one-minute candles. */
            trail_peak: number;
            /** @description null: it is open. */
            closed_at: string | null;
            close_price: number | null;
            close_reason: components["schemas"]["CloseReason"] | null;
            /** @description Gross: price difference x direction x qty. null while open. */
            pnl: number | null;
            roi_pct: number | null;
            /** @description Charged so far: at the entry, and at the exit when closed. */
            fees: number;
            /** @description Paid so far; negative was received. */
            funding: number;
            /** @description pnl - fees - funding. */
            net_pnl: number | null;
            return_on_margin_pct: number | null;
        };
        PositionAnswer: {
            position: components["schemas"]["LivePosition"];
            events: components["schemas"]["PositionEvent"][];
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
                 * @description What was seen: a price, a candle; or its owner.
                 * @enum {string}
                 */
                by: "tick" | "candle" | "owner";
            } & {
                [key: string]: unknown;
            };
        };
        PositionsAnswer: {
            /** @description Open: newest first. Closed: newest close first. */
            positions: components["schemas"]["LivePosition"][];
            /** Format: date-time */
            server_time: string;
        };
        PreferencesAnswer: {
            /** @enum {string} */
            active_tab: "dashboard" | "signals" | "auto" | "backtest" | "arb" | "profile" | "funds" | "news" | "help" | "vision" | "settings" | "payments" | "api-manager" | "api-docs" | "account";
            /** @description Sub-tab of the active tab. */
            current_page: string | null;
            auto_scan_enabled: boolean;
            /** @description The service scans every 10 minutes while you are away, 1 credit each; it goes off at 0 credits. */
            keep_scanning: boolean;
            /** @description `softApproval` of the AI checks after a scan. */
            ai_soft_approval: boolean;
            /** @description `allowAiCorrectionOnReject` of the AI checks after a scan. */
            ai_allow_correction: boolean;
            /** @description Percent: 2 is 2 %. */
            min_auto_conf_pct: number;
            positions_wanted: number;
            balance_usdt: number;
            leverage: number;
            /** @enum {string} */
            risk_tolerance: "low" | "medium" | "high";
            /**
             * @description `risk`: the size follows from the risk per trade and the distance of the stop; `fixed`: `base_usdt` x leverage, whatever the stop loses.
             * @enum {string}
             */
            sizing_mode: "risk" | "fixed";
            /** @description Largest margin of one position, USDT. Null: the balance. */
            base_usdt: number | null;
            /**
             * @description Stop and target of positions opened from a signal: those of the signal, or `stop_loss_pct` and `take_profit_pct` from the entry.
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
            /** @description A fraction in spite of its name: 0.02 is 2 %. */
            risk_min_pct: number;
            /** @description A fraction in spite of its name: 0.02 is 2 %. */
            risk_max_pct: number;
            risk_smoothing: number;
            risk_perf_lookback: number;
            /** @description Percent from the entry: the stop of an opening that names none. 0: none, such an opening is refused. */
            stop_loss_pct: number;
            /** @description Likewise for the target. */
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
            /** @description Trailing starts after a move in favour of this many stop distances; 0: at once. */
            trail_activation_stops: number;
            tuning_conf_floor: number | null;
            /** @description Null: as the device has it. */
            theme: ("dark" | "light") | null;
            /** @description Colours of gain and loss. */
            palette: ("green-red" | "blue-orange") | null;
            /** @description In which time moments are shown. */
            time_zone: ("local" | "utc") | null;
            /** @description Positions are opened by themselves after a scan or an analysis. */
            auto_open_enabled: boolean;
            /** @description You have answered the line that the first automatic opening of the account shows. */
            auto_open_noticed: boolean;
            guard_daily_loss_pct: number | null;
            guard_stop_streak: number | null;
            guard_cooldown_minutes: number;
            guard_drawdown_pct: number | null;
            /** @description Name of the linked chat; `/api/notifications` links one. */
            telegram: string | null;
            /** @description URL messages are posted to; `/api/notifications/webhook` sets it. */
            webhook: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        PreferencesRequestInput: {
            /** @enum {string} */
            active_tab?: "dashboard" | "signals" | "auto" | "backtest" | "arb" | "profile" | "funds" | "news" | "help" | "vision" | "settings" | "payments" | "api-manager" | "api-docs" | "account";
            /** @description Sub-tab of the active tab. */
            current_page?: string | null;
            auto_scan_enabled?: boolean;
            /** @description The service scans every 10 minutes while you are away, 1 credit each; it goes off at 0 credits. */
            keep_scanning?: boolean;
            /** @description `softApproval` of the AI checks after a scan. */
            ai_soft_approval?: boolean;
            /** @description `allowAiCorrectionOnReject` of the AI checks after a scan. */
            ai_allow_correction?: boolean;
            /** @description Percent: 2 is 2 %. */
            min_auto_conf_pct?: number;
            positions_wanted?: number;
            balance_usdt?: number;
            leverage?: number;
            /** @enum {string} */
            risk_tolerance?: "low" | "medium" | "high";
            /**
             * @description `risk`: the size follows from the risk per trade and the distance of the stop; `fixed`: `base_usdt` x leverage, whatever the stop loses.
             * @enum {string}
             */
            sizing_mode?: "risk" | "fixed";
            /** @description Largest margin of one position, USDT. Null: the balance. */
            base_usdt?: number | null;
            /**
             * @description Stop and target of positions opened from a signal: those of the signal, or `stop_loss_pct` and `take_profit_pct` from the entry.
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
            /** @description A fraction in spite of its name: 0.02 is 2 %. */
            risk_min_pct?: number;
            /** @description A fraction in spite of its name: 0.02 is 2 %. */
            risk_max_pct?: number;
            risk_smoothing?: number;
            risk_perf_lookback?: number;
            /** @description Percent from the entry: the stop of an opening that names none. 0: none, such an opening is refused. */
            stop_loss_pct?: number;
            /** @description Likewise for the target. */
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
            /** @description Trailing starts after a move in favour of this many stop distances; 0: at once. */
            trail_activation_stops?: number;
            tuning_conf_floor?: number | null;
            /** @description Null: as the device has it. */
            theme?: ("dark" | "light") | null;
            /** @description Colours of gain and loss. */
            palette?: ("green-red" | "blue-orange") | null;
            /** @description In which time moments are shown. */
            time_zone?: ("local" | "utc") | null;
            /** @description Positions are opened by themselves after a scan or an analysis. */
            auto_open_enabled?: boolean;
            /** @description You have answered the line that the first automatic opening of the account shows. */
            auto_open_noticed?: boolean;
            guard_daily_loss_pct?: number | null;
            guard_stop_streak?: number | null;
            guard_cooldown_minutes?: number;
            guard_drawdown_pct?: number | null;
        };
        Preview: {
            would_open: boolean;
            reason: components["schemas"]["SkipReason"] | null;
            detail: components["schemas"]["SkipDetail"] | null;
            message: string;
            symbol: string;
            interval: components["schemas"]["IntervalName"];
            side: components["schemas"]["Side"] | null;
            /** @description Our last price; opening takes the one of its own moment. */
            entry_price: number | null;
            price_at: string | null;
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
            next_funding_at: string | null;
            warnings: components["schemas"]["Warning"][];
        };
        PreviewAnswer: {
            preview: components["schemas"]["Preview"];
        };
        PriceAnswer: {
            symbol: string;
            /** @description Last trade, USDT. */
            price: number;
            bid: number | null;
            ask: number | null;
            /** @description Mark price: what liquidations are judged by. */
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
            /** @description Milliseconds since the exchange last confirmed this answer. */
            data_age_ms: number;
        };
        PriceBatchAnswer: {
            exchange: components["schemas"]["ExchangeName"];
            /**
             * @description Only live data comes from a real exchange.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @description Milliseconds since the exchange last confirmed this answer. */
            data_age_ms: number;
            prices: {
                symbol: string;
                /** @description Last trade, USDT. */
                price: number;
                bid: number | null;
                ask: number | null;
                /** @description Mark price: what liquidations are judged by. */
                mark: number | null;
                /**
                 * Format: date-time
                 * @description The exchange's own stamp.
                 */
                at: string;
            }[];
        };
        PrivacyAnswer: {
            /** @description Loading times your browser measured are counted, without your name. */
            analytics: boolean;
            /** @description Your runs count in `GET /api/research/backtests`, in groups of at least five people. */
            research_sharing: boolean;
            /** @description News of the operator by mail. */
            marketing: boolean;
            /** @description The profile is public: names, bio, pictures. */
            public_stats: boolean;
            /** @description A place in `GET /api/leaderboard`, under your username. */
            leaderboard: boolean;
            /** @description Others may follow you in the ranking. Turning it off removes all followers. */
            allow_follow: boolean;
        };
        PrivacyRequest: {
            /** @description Loading times your browser measured are counted, without your name. */
            analytics?: boolean;
            /** @description Your runs count in `GET /api/research/backtests`, in groups of at least five people. */
            research_sharing?: boolean;
            /** @description News of the operator by mail. */
            marketing?: boolean;
            /** @description The profile is public: names, bio, pictures. */
            public_stats?: boolean;
            /** @description A place in `GET /api/leaderboard`, under your username. */
            leaderboard?: boolean;
            /** @description Others may follow you in the ranking. Turning it off removes all followers. */
            allow_follow?: boolean;
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
        };
        ProfileAnswer: {
            display_name: string;
            /** @description Null until one is chosen. */
            username: string | null;
            bio: string | null;
            /** @description Path on this server. */
            avatar_url: string | null;
            /** @description Path on this server. */
            cover_url: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ProfileRequestInput: {
            display_name?: string;
            /** @description Plain text. Shown as it is, with its line breaks. */
            bio?: string | null;
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
            price: number;
            stop_loss: number;
            take_profit: number;
            horizon_min: number;
            risk_label: string;
            hashes: {
                engine: string;
                data: string;
                params: string;
            };
            /** @description null while it is open; open is not lost. */
            outcome: {
                /** @enum {string} */
                outcome: "TP" | "SL" | "TIME";
                exit_price: number;
                /** Format: date-time */
                exit_at: string;
                net_fraction: number;
                is_ambiguous: boolean;
                /** @description Length of the candles it was judged on. */
                basis: string;
            } | null;
        };
        Range: {
            min: number;
            max: number;
        };
        /** @description The first 20, you, and those you follow. */
        RankingAnswer: {
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
        /** @description 95 %, Wilson; near-identical signals count as one opinion. */
        RateInterval: {
            low: number;
            high: number;
        } | null;
        /** @description Never changed once issued. */
        Receipt: {
            /** Format: uuid */
            id: string;
            /**
             * @description Without gaps within a year.
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
        ReceiptAnswer: {
            receipt: components["schemas"]["Receipt"];
        };
        ReceiptsAnswer: {
            /** @description Newest first. */
            receipts: components["schemas"]["Receipt"][];
            /** @description Years that have receipts, newest first. */
            years: number[];
            /** @description False while the operator has not given the details of the seller: nothing is issued then. */
            is_available: boolean;
        };
        /** @description RFC 4180, oldest first. */
        ReceiptsCsv: string;
        RecoveryCodesAnswer: {
            /** @description Each works once. Shown here and never again. */
            recovery_codes: string[];
        };
        RenewedAnswer: {
            /** @description Signs every message from now on (Standard Webhooks). Shown this once. */
            secret: string;
            /**
             * Format: date-time
             * @description Until then `webhook-signature` carries two signatures with a space between them, by this key and by the one before. Accept a message when either fits, and change over meanwhile.
             */
            previous_until: string;
        };
        /** @description Runs on the server, of people who share, in groups of at least `people_min` people. */
        ResearchAnswer: {
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
        ResetPasswordRequest: {
            token: string;
            password: components["schemas"]["NewPassword"];
        };
        ResetRequestInput: {
            email: components["schemas"]["EmailInput"];
        };
        /** @enum {string} */
        RiskTolerance: "low" | "medium" | "high";
        RunAnswer: {
            /** @description Net USDT after fees and funding; the same as `netPnl`. */
            pnl: number;
            /** @description Number of trades; the trades themselves are in `tradeList`. */
            trades: number;
            /** @description Largest fall of mark-to-market equity from its peak, a fraction. */
            maxDrawdown: number;
            /** @description The parameters of this result. */
            bestParams: components["schemas"]["StrategyParams"];
            /** @description What all trades earned after slippage, fees and funding, in USDT. Formula: net = gross PnL - fees - funding. */
            netPnl: number;
            /** @description Net PnL when in every bar that holds both stop and target the stop came first. It is the net PnL shown unless the target is taken first. */
            pessimisticNetPnl: number;
            /** @description Net PnL when in every bar that holds both stop and target the target came first. The net PnL takes the stop first unless the setup says otherwise; the truth is most often between the two bounds: another exit can lead to other trades. */
            optimisticNetPnl: number;
            /** @description Share of the trades with a net PnL above 0. High win rates are easy to buy with small targets: read it with the expectancy. Formula: winners / trades. None when: no trade. */
            winRate: number | null;
            /** @description Closed trades, one at a time. A trade that is open at the last candle is closed by force and counted apart as END. */
            tradeCount: number;
            /** @description Largest fall of mark-to-market equity from its highest point so far, open positions included. Above 10 % it is marked. Formula: max((peak - equity) / peak). */
            maxDrawdownFraction: number;
            /** @description Mean daily return over its deviation, per year. From UTC days of mark-to-market equity; needs 30 days from the first open to the last close, else it would mislead. Formula: mean / sample deviation x sqrt(365). None when: less than 30 days, no variation, or an equity that was used up. */
            sharpe: components["schemas"]["Statistic"];
            /** @description Like the Sharpe ratio, but only falling days count as risk. Formula: mean / downside deviation x sqrt(365). None when: less than 30 days, no variation, or an equity that was used up, or no day that lost. */
            sortino: components["schemas"]["Statistic"];
            /** @description Net winnings over net losses. Above 1 the trades earned; without a loss there is no figure. Formula: sum of wins / sum of losses. None when: no losing trade. */
            profitFactor: number | null;
            /** @description Average net PnL of a trade, in USDT. Formula: net PnL / trades. None when: no trade. */
            expectancy: number | null;
            /** @description Share of the scored candles with an open position. */
            exposureFraction: number;
            /** @description All fees paid, entries and exits, in USDT. A liquidation loses the whole margin; its fee is inside that loss. Formula: sum of notional x rate. */
            fees: number;
            /** @description Share of all trades that ended in a bar which held both the target and the stop or liquidation price: which came first cannot be known from the candle. The loss is taken, unless the run says target first. */
            ambiguousFraction: number;
            /** @description Return of one position of the same size, bought at the start of the window and sold at its end, fees included, on the start equity. */
            buyAndHoldFraction: number;
            /** @description Price differences at the fills, before fees and funding. Slippage is already inside. Formula: sum of (exit - entry) x side x quantity. */
            grossPnl: number;
            /** @description What the fills lost against the undisturbed prices. */
            slippage: number;
            /** @description Payments between longs and shorts at the funding times the position was held. Longs pay a positive rate. Formula: side x quantity x mark x rate. */
            funding: number;
            /** @description Loaded candle in which a close left no equity. Trading stops there. None when: the equity was never used up. */
            ruinIndex: number | null;
            /** @description Missing candles inside the loaded window; they are never invented. */
            gapCount: number;
            /** @description Candles that are missing in the holes of the data. */
            missingCandleCount: number;
            /** @description Candles the run was given: those that warm up the indicators and those that are scored. */
            loadedCount: number;
            /** @description Candles the run trades on, at the end of the loaded ones. Every figure rests on them. */
            scoredCount: number;
            /** @description Closed trades that were long. */
            longCount: number;
            /** @description Closed trades that were short. */
            shortCount: number;
            /** @description Trades whose stop was not nearer than the liquidation price: it could not protect them. */
            stopBeyondLiquidationCount: number;
            /** @description False when funding is assumed or off, or its history is absent or has a hole of more than 8 hours. */
            isFundingKnown: boolean;
            /** @description Signals that could not be filled: the next candle had no volume, the size was below the minimum, or the equity left did not cover the smallest order. */
            droppedSignalCount: number;
            /** @description Signals that met an open position. There is one position at a time. */
            skippedSignalCount: number;
            /** @description Positions that the venue closed because their margin no longer held them. Each loses its whole margin. */
            liquidationCount: number;
            /** @description Trades that were open at the last candle and closed there. They say nothing about the exits. */
            forcedCloseCount: number;
            /** @description Why signals were not filled: no volume, below the minimum size, equity left does not cover the smallest order. */
            droppedSignals: {
                noVolume: number;
                tooSmall: number;
                marginShort: number;
            };
            /** @description UTC days with a scored candle; the daily figures rest on them. */
            dayCount: number;
            /** @description Growth of the equity as if it went on like this for a year, compounded. Not given below 30 days: a short run would promise the absurd. Formula: (end equity / start equity)^(365 / days) - 1. None when: less than 30 days, or an equity that was used up. */
            annualReturnFraction: number | null;
            /** @description Change of the price itself from the open of the first scored candle to the close of the last. Formula: last close / first open - 1. */
            marketChangeFraction: number;
            /** @description Return per year that is left on days when the market stands still: what does not come from being long or short of it. Formula: (mean daily return - beta x mean daily market return) x 365. None when: less than 30 days, or an equity that was used up, or a market that did not move. */
            alphaFraction: number | null;
            /** @description How far the equity moves with the market: 1 like holding the whole equity long, 0 not at all, below 0 against it. Formula: covariance(daily return, market return) / variance(market return). None when: less than 30 days, or an equity that was used up, or a market that did not move. */
            beta: number | null;
            /** @description Largest daily return of mark-to-market equity, by UTC days. None when: the equity was used up. */
            bestDayFraction: number | null;
            /** @description Smallest daily return of mark-to-market equity, by UTC days. None when: the equity was used up. */
            worstDayFraction: number | null;
            /** @description UTC days that ended with more equity than they began with. None when: the equity was used up. */
            wonDayCount: number | null;
            /** @description UTC days whose equity did not change: no position was held. None when: the equity was used up. */
            flatDayCount: number | null;
            /** @description UTC days that ended with less equity than they began with. None when: the equity was used up. */
            lostDayCount: number | null;
            /** @description Net profit per year, not compounded, for each unit of the worst fall. Formula: (net PnL / start equity) x (365 / days) / max drawdown. None when: less than 30 days, or no drawdown. */
            calmar: number | null;
            /** @description All that the rising days gave over all that the falling days took. Above 1 the days earned. Formula: sum of daily gains / sum of daily losses. None when: less than 30 days, or an equity that was used up, or no day that lost. */
            omega: number | null;
            /** @description Largest fall of mark-to-market equity from its highest point so far, in USDT. Formula: max(peak - equity). */
            maxDrawdownUsdt: number;
            /** @description Most candles in a row that closed below the highest equity so far. It may not have ended yet. */
            longestUnderwaterCandles: number;
            /** @description Share of the scored candles that closed below the highest equity so far. */
            underwaterFraction: number;
            /** @description Mean net PnL of a trade over its deviation, times the root of their number: the t value of the mean. Formula: mean / sample deviation x sqrt(trades). None when: fewer than 30 trades, or no variation. */
            sqn: number | null;
            /** @description How often trades without any edge would have a mean this good or better, if they were independent and this the only set ever tried. The honesty panel counts the others. Formula: P(T >= SQN), Student t with trades - 1 degrees of freedom. None when: fewer than 30 trades, or no variation. */
            meanPValue: number | null;
            /** @description Share of the equity to put at risk for the fastest growth, if the future had exactly these rates. It has not: treat it as a ceiling. Below 0: do not bet. Formula: win rate - (1 - win rate) / payoff ratio. None when: fewer than 30 trades, no winner, or no loser. */
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
            /** @description Average net PnL of a trade for each unit of the average loss. Formula: expectancy / average loss. None when: no losing trade. */
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
             * @description Of the stored run.
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
        };
        RunBacktestAnswer: components["schemas"]["OptimizedAnswer"] | components["schemas"]["RunAnswer"];
        RunBacktestBodyInput: {
            /** @description Loads closed candles of this symbol. Or send `candles`. */
            symbol?: components["schemas"]["SymbolName"];
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
            /** @default 1h */
            interval?: components["schemas"]["IntervalName"];
            /**
             * @description Candles loaded.
             * @default 800
             */
            limit?: number;
            /** @description Epoch ms: only candles that had closed at this instant. Now when absent. */
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
            /** @default {} */
            costs?: components["schemas"]["CostsInput"];
            /** @description Trades may open on the last so many candles; the earlier ones warm the indicators up. 500 for a symbol, all for your own candles. */
            scored?: number;
            /** @description Searches for better parameters; `params` is one of the sets. Up to 1000 samples are answered at once with `best`; above that the answer is 202 and a search to follow. */
            optimize?: components["schemas"]["OptimizeOptionsInput"];
            /** @description Keeps the run under this name. */
            name?: string;
            /** @description What your own candles are called. */
            label?: string;
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
            /** @description At most 240 evenly spaced values of the scored window, USDT. */
            equity: number[];
            hashes: components["schemas"]["Hashes"];
        };
        SavedRunsAnswer: {
            /** @description Runs kept under a name, the newest first. */
            runs: components["schemas"]["SavedRun"][];
        };
        SavedState: {
            symbol: string;
            interval: components["schemas"]["IntervalName"];
            params: components["schemas"]["StrategyParams"];
            /** @default null */
            optimize: components["schemas"]["OptimizeSettings"] | null;
            /** @default null */
            metrics: {
                [key: string]: number | string | boolean | null;
            } | null;
            /** Format: date-time */
            updated_at: string;
        };
        SavedStateAnswer: {
            /** @description null when nothing is saved. */
            state: components["schemas"]["SavedState"] | null;
        };
        SavedStateBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            params: components["schemas"]["StrategyParamsInput"];
            /** @default null */
            optimize?: components["schemas"]["OptimizeSettingsInput"] | null;
            /** @default null */
            metrics?: {
                [key: string]: number | string | boolean | null;
            } | null;
        };
        Scan: {
            /** Format: uuid */
            scan_id: string;
            status: components["schemas"]["ScanStatus"];
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            params: components["schemas"]["ScanParams"];
            results: components["schemas"]["ScanResults"] | null;
            /** @description Why it failed; its credit was given back. */
            failure: string | null;
        };
        ScanAnswer: {
            scan: components["schemas"]["Scan"];
        };
        ScanBodyInput: {
            /** @description The whole universe within your filters when absent. */
            symbols?: components["schemas"]["SymbolName"][];
            intervals?: ("15m" | "1h" | "4h")[];
            /** @default 500 */
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
            /** @description How positions are sized, by the settings of that moment. Absent in older scans. */
            sizing?: {
                /** @enum {string} */
                mode: "risk" | "fixed";
                riskFraction: number;
                baseUsdt: number;
                /** @description Equity that was no margin of an open position. */
                freeUsdt: number;
                /** @description Your own stop in percent; null: the stop of the signal. */
                ownStopPct: number | null;
            };
            /** @description Factors on the weights of the live ensemble, 0.5 to 1.5 in steps of 0.05; 1 changes nothing. */
            tuning: {
                adx: number;
                supertrend: number;
                ema_cross: number;
                sma_cross: number;
                pivot: number;
                vwap: number;
                mfi: number;
                donchian: number;
                ich_align: number;
                ich_cloud: number;
                news: number;
            };
            confidenceFloor: number | null;
            minConfidencePct: number;
            positionsWanted: number;
            maxSymbols: number;
            whitelist: string[];
            blacklist: string[];
        };
        ScanResult: {
            symbol: string;
            interval: string;
            exchange: components["schemas"]["ExchangeName"];
            /** @enum {string} */
            direction: "LONG" | "SHORT" | "NEUTRAL";
            /** @description 0 to 1. Not a probability until outcomes have been counted. */
            confidence: number;
            raw_confidence: number;
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
            /** @description Expected minutes until stop or target in a market without drift. */
            horizon_min: number | null;
            position: {
                /** @description Notional of the simulated position. */
                sizeUsdt: number;
                sizeBase: number;
                leverage: number;
                /** @description The same as sizeBase. */
                qty: number;
                liquidationApprox: number | null;
                /** @description Net loss when the stop is hit, USDT, fees and slippage included. */
                loss_at_stop: number | null;
                /** @description Share of base x leverage that the risk allows; 0 without a size. */
                risk_multiplier: number;
                /** @description Why there is no size; null when there is one. */
                refused_by: ("quantity" | "min_notional" | "min_above_risk" | "margin_full") | null;
                /** @description The same in words. */
                message: string | null;
                /** @description What the exchange takes of the symbol; 0: no rule. */
                limits: {
                    tick_size: number;
                    step_size: number;
                    min_notional: number;
                    max_leverage: number | null;
                };
            };
            meta: {
                rsi: number | null;
                macd: number | null;
                atr: number | null;
            };
            /**
             * @description `online`: a model is set up and was not asked yet; `approved`, `rejected`: its verdict; `offline`: no model is set up, or it gave no verdict.
             * @enum {string}
             */
            ai_state: "online" | "approved" | "rejected" | "offline";
            /** @description Beside `offline` where no model is set up: what the built-in rules say. It gates opening as the AI check does. null where a model judges. */
            rule_check: ("not_run" | "passed" | "not_passed") | null;
            /** @description A model's verdict; null without one. */
            aiApproved: boolean | null;
            aiRationale: string | null;
            aiProposal: {
                tags: string[];
                horizon_min: number | null;
                stop_loss_pct_suggest: number | null;
                take_profit_pct_suggest: number | null;
            } | null;
            suggestedRiskMultiplier: number | null;
            live_votes: number;
            /** @description How many independent votes they amount to. */
            effective_votes: number;
            /** @description What each vote adds; they sum to the score. */
            contributions: {
                vote: string;
                interval: string;
                opinion: number;
                is_live: boolean;
                contribution: number;
            }[];
            timeframes: {
                interval: string;
                weight: number;
                score: number | null;
            }[];
            /** Format: date-time */
            candle_close_at: string;
            /** Format: date-time */
            computed_at: string;
            hashes: {
                engine: string;
                data: string;
                params: string;
            };
            /**
             * Format: uuid
             * @description Its row in the public record.
             */
            signal_id: string;
            /**
             * @description `ELIGIBLE` may be opened; the others say why not.
             * @enum {string}
             */
            outcome: "ELIGIBLE" | "NEUTRAL" | "LOW_CONF" | "ZERO_QTY" | "NO_MATCH";
            filtered_by: string | null;
        };
        ScanResults: {
            /** @description The first of `all`. */
            best: components["schemas"]["ScanResult"] | null;
            /** @description Signals by confidence, best first, at most 500. */
            all: components["schemas"]["ScanResult"][];
            /** @description Signals found, shown or not. */
            total: number;
            /** @description How many candidates ended how. */
            outcomes: {
                [key: string]: number;
            };
            /** @description Of the oldest candles, when the scan was done. */
            data_age_ms: number;
            /** @description Series the exchange gave no usable candles of. */
            missing: string[];
            timing: {
                candles_ms: number;
                engine_ms: number;
                total_ms: number;
            };
            /** @description `signal_id` of the results whose AI check the credit includes, in the order in which to ask for them. */
            to_check: string[];
        };
        ScanStarted: {
            /** Format: uuid */
            scan_id: string;
            status: components["schemas"]["ScanStatus"];
            /** @description What is left after the one credit that was set aside. */
            credits: number;
        };
        /** @enum {string} */
        ScanStatus: "queued" | "running" | "done" | "failed" | "cancelled";
        ScoreboardAnswer: {
            /**
             * @description Only signals of this market are counted.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @description Every signal ever recorded here, losers included. */
            engine: components["schemas"]["SignalRecord"];
            /** @description Signals an AI model approved by itself before the next candle of their interval had closed, each counted once; null before the first. */
            ai_check: components["schemas"]["SignalRecord"] | null;
            /** @description What the verdicts of all AI checks were worth beside a random veto of the same rate. */
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
            /** @description Since its first part was taken up, or until it ended. */
            elapsed_ms: number | null;
            finished_at: string | null;
            symbol: string;
            /** @description The symbol, or what the own candles are called. */
            label: string | null;
            interval: string;
            samples: number;
            /** @description Samples that have run. */
            done: number;
            /** @description Why it failed. */
            failure: string | null;
            /** @description null for searches from before this was kept. */
            request: components["schemas"]["SearchRequest"] | null;
            result: components["schemas"]["SearchResult"] | null;
        };
        SearchAnswer: {
            search: components["schemas"]["Search"];
        };
        /** @description What was asked: set 0, the search, and the candles it ran on. */
        SearchRequest: {
            params: components["schemas"]["StrategyParams"];
            optimize: components["schemas"]["OptimizeOptions"];
            setup: components["schemas"]["BacktestSetup"];
        };
        SearchResult: {
            best: components["schemas"]["BestRun"];
            target: components["schemas"]["OptimizeTarget"];
            seed: number;
            /** @description Candles [start, end) of the loaded ones. */
            train: {
                start: number;
                end: number;
            };
            /** @description Every set that was tried: samples and refinements. */
            trialCount: number;
            /** @description The best samples, best first. */
            leaders: {
                index: number;
                params: components["schemas"]["StrategyParams"];
                value: number;
            }[];
            walkForward?: components["schemas"]["WalkForwardResult"];
            /** @description SHA-256 over result, trades and value of every single set; the same in any browser. */
            trialsHash: string;
        };
        /** @enum {string} */
        SearchStatus: "queued" | "running" | "done" | "failed" | "cancelled";
        SearchesAnswer: {
            /** @description The newest first. */
            searches: {
                /** Format: uuid */
                search_id: string;
                status: components["schemas"]["SearchStatus"];
                /** Format: date-time */
                created_at: string;
                /** @description Since its first part was taken up, or until it ended. */
                elapsed_ms: number | null;
                finished_at: string | null;
                symbol: string;
                /** @description The symbol, or what the own candles are called. */
                label: string | null;
                interval: string;
                samples: number;
                /** @description Samples that have run. */
                done: number;
                /** @description Why it failed. */
                failure: string | null;
            }[];
        };
        SecretAnswer: {
            /** @description Signs every message (Standard Webhooks). Shown this once; null when there was one before, which stays. */
            secret: string | null;
        };
        SecurityAnswer: {
            /** @description False for the shared demo account. */
            has_password: boolean;
            two_factor: boolean;
            recovery_codes_left: number;
            /** @description Asked for and not confirmed yet. */
            pending_email: string | null;
        };
        SessionAnswer: {
            user: components["schemas"]["User"];
            /** @description For API clients: `Authorization: Bearer <token>`. Shown once. */
            token: string;
            /** Format: date-time */
            expires_at: string;
        };
        SessionsAnswer: {
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
        SharedBacktestAnswer: {
            /**
             * @description Only live data comes from a real exchange.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            exchange: components["schemas"]["ExchangeName"];
            /** @description What the run loaded: a browser repeats it on the same candles. */
            candles: {
                time: number[];
                open: number[];
                high: number[];
                low: number[];
                close: number[];
                volume: number[];
            };
            funding: {
                time: number[];
                rate: number[];
            } | null;
            hashes: components["schemas"]["Hashes"];
        };
        /** @description What a shared link holds. Fundings are those the exchange settled. */
        SharedBacktestBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            /** @default binance */
            exchange?: components["schemas"]["ExchangeName"];
            interval: components["schemas"]["IntervalName"];
            /** @description Candles loaded. */
            limit: number;
            /** @description Epoch ms: only candles that had closed at this instant. */
            endTime: number;
            scored: number;
            params: components["schemas"]["StrategyParamsInput"];
            costs: {
                /** @default 0.0005 */
                takerFeeFraction?: number;
                /** @default 0.0002 */
                makerFeeFraction?: number;
                /** @default 0.0001 */
                slippageFraction?: number;
                /** @default 0.0002 */
                stopSlippageFraction?: number;
                /**
                 * @default market
                 * @enum {string}
                 */
                takeProfitOrder?: "market" | "limit";
                /** @default 1000 */
                initialEquity?: number;
                /** @default 1000 */
                notional?: number;
                /** @default 10 */
                leverage?: number;
                /** @default 0.005 */
                maintenanceMarginFraction?: number;
                /**
                 * @description What is charged: the settled rates, `assumedFundingFraction` at 0, 8 and 16 h UTC, or nothing.
                 * @default history
                 * @enum {string}
                 */
                fundingSource?: "history" | "assumed" | "off";
                /**
                 * @description What longs pay at each assumed funding, a fraction of the notional.
                 * @default 0.0001
                 */
                assumedFundingFraction?: number;
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
            };
        };
        /** @enum {string} */
        Side: "LONG" | "SHORT";
        SignInAnswer: components["schemas"]["SessionAnswer"] | components["schemas"]["ChallengeAnswer"];
        SignInRequestInput: {
            email: components["schemas"]["EmailInput"];
            password: string;
        };
        SignUpAnswer: components["schemas"]["SessionAnswer"] | components["schemas"]["ConfirmationSentAnswer"];
        SignUpRequestInput: {
            email: components["schemas"]["EmailInput"];
            password: components["schemas"]["NewPassword"];
        };
        SignalAnswer: {
            symbol: string;
            interval: string;
            exchange: components["schemas"]["ExchangeName"];
            /** @enum {string} */
            direction: "LONG" | "SHORT" | "NEUTRAL";
            /** @description 0 to 1. Not a probability until outcomes have been counted. */
            confidence: number;
            raw_confidence: number;
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
            /** @description Expected minutes until stop or target in a market without drift. */
            horizon_min: number | null;
            position: {
                /** @description Notional of the simulated position. */
                sizeUsdt: number;
                sizeBase: number;
                leverage: number;
                /** @description The same as sizeBase. */
                qty: number;
                liquidationApprox: number | null;
                /** @description Net loss when the stop is hit, USDT, fees and slippage included. */
                loss_at_stop: number | null;
                /** @description Share of base x leverage that the risk allows; 0 without a size. */
                risk_multiplier: number;
                /** @description Why there is no size; null when there is one. */
                refused_by: ("quantity" | "min_notional" | "min_above_risk" | "margin_full") | null;
                /** @description The same in words. */
                message: string | null;
                /** @description What the exchange takes of the symbol; 0: no rule. */
                limits: {
                    tick_size: number;
                    step_size: number;
                    min_notional: number;
                    max_leverage: number | null;
                };
            };
            meta: {
                rsi: number | null;
                macd: number | null;
                atr: number | null;
            };
            /**
             * @description `online`: a model is set up and was not asked yet; `approved`, `rejected`: its verdict; `offline`: no model is set up, or it gave no verdict.
             * @enum {string}
             */
            ai_state: "online" | "approved" | "rejected" | "offline";
            /** @description Beside `offline` where no model is set up: what the built-in rules say. It gates opening as the AI check does. null where a model judges. */
            rule_check: ("not_run" | "passed" | "not_passed") | null;
            /** @description A model's verdict; null without one. */
            aiApproved: boolean | null;
            aiRationale: string | null;
            aiProposal: {
                tags: string[];
                horizon_min: number | null;
                stop_loss_pct_suggest: number | null;
                take_profit_pct_suggest: number | null;
            } | null;
            suggestedRiskMultiplier: number | null;
            live_votes: number;
            /** @description How many independent votes they amount to. */
            effective_votes: number;
            /** @description What each vote adds; they sum to the score. */
            contributions: {
                vote: string;
                interval: string;
                opinion: number;
                is_live: boolean;
                contribution: number;
            }[];
            timeframes: {
                interval: string;
                weight: number;
                score: number | null;
            }[];
            /** Format: date-time */
            candle_close_at: string;
            /** Format: date-time */
            computed_at: string;
            hashes: {
                engine: string;
                data: string;
                params: string;
            };
            /** @enum {string} */
            market: "simulated" | "replay" | "live";
            /** @description Milliseconds since the exchange last confirmed the candles. */
            data_age_ms: number;
        };
        SignalRecord: {
            /** @description Recorded. */
            signals: number;
            /** @description Not resolved yet: neither won nor lost. */
            open: number;
            /** @description Open although their time is over: a candle is missing, or the symbol is gone. They may be losers. */
            overdue: number;
            resolved: number;
            tp: number;
            sl: number;
            /** @description The horizon passed before stop and target. */
            time: number;
            /** @description Resolved with a gain after fees. */
            won: number;
            /** @description Stop and target in one candle: counted as stopped. */
            ambiguous: number;
            hit_rate: number | null;
            hit_rate_interval: components["schemas"]["RateInterval"];
            /** @description Independent opinions the resolved ones amount to: same symbol, direction and time are one bet. */
            independent_count: number;
            /** @description A fraction of the entry price: 0.02 is 2 %. */
            mean_net_fraction: number | null;
            /** @description A fraction of the entry price: 0.02 is 2 %. */
            total_net_fraction: number | null;
            calibration: components["schemas"]["Calibration"];
        };
        SignedOutAnswer: {
            /** @constant */
            signed_out: true;
        };
        /** @enum {string} */
        SkipDetail: "min_confidence" | "tuning_floor" | "quantity" | "min_notional" | "min_above_risk" | "margin_full" | "no_levels" | "price_moved" | "level_passed" | "liquidation_before_stop" | "ai_unchecked" | "ai_offline" | "ai_not_approved" | "rule_check_not_passed" | "blacklisted" | "not_whitelisted" | "same_symbol" | "positions_wanted" | "duplicate" | "max_concurrent" | "daily_loss_guard" | "stop_streak_guard" | "drawdown_guard" | "auto_open_off" | "not_traded" | "too_large";
        /** @enum {string} */
        SkipReason: "NEUTRAL" | "LOW_CONF" | "ZERO_QTY" | "NO_MATCH";
        SkipsAnswer: {
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
            weight?: components["schemas"]["Range"];
            entryThreshold?: components["schemas"]["Range"];
            slPct?: components["schemas"]["Range"];
            tpPct?: components["schemas"]["Range"];
            /** @enum {string} */
            trailing?: "off" | "on" | "either";
            callbackPct?: components["schemas"]["Range"];
            stepPct?: components["schemas"]["Range"];
        };
        /** @description A statistic over `count` days, or null with the reason why there is none. */
        Statistic: {
            value: number | null;
            count: number;
            standardError?: number;
            reason?: string;
        };
        StepUpRequest: {
            password: string;
        } | {
            /** @description Six digits of the authenticator, or a recovery code. */
            code: string;
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
        /**
         * @description USDT perpetual, e.g. BTCUSDT; lower case is accepted.
         * @example BTCUSDT
         */
        SymbolName: string;
        SymbolsAnswer: {
            exchange: components["schemas"]["ExchangeName"];
            /**
             * @description Only live data comes from a real exchange.
             * @enum {string}
             */
            market: "simulated" | "replay" | "live";
            /** @description Milliseconds since the exchange last confirmed this answer. */
            data_age_ms: number;
            /** @description Every instrument of the exchange, counted once. */
            counts: {
                /** @description Perpetuals of coins that are trading: the size of the universe. */
                trading: number;
                /** @description In `symbols` with the status `halted`. */
                suspended: number;
                left_out: {
                    stock: number;
                    /** @description Metals, oil and the like. */
                    commodity: number;
                    index: number;
                    /** @description Of a class that is neither a coin nor one of the three before. */
                    otherAsset: number;
                    /** @description The exchange does not say what the contract is on. */
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
                /** @description null where the exchange does not publish it. */
                max_leverage: number | null;
                listed_at: string | null;
                /** @enum {string} */
                status: "trading" | "halted";
            }[];
        };
        TargetChange: {
            is_on?: boolean;
            /** @description What it is told of. */
            kinds?: ("scan_finished" | "credits_low" | "position_opened" | "position_closed")[];
        };
        TelegramLinkAnswer: {
            /**
             * Format: uri
             * @description Opens the bot; pressing Start there links the chat. Works once.
             */
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        TestAnswer: {
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
            closeReason: "TP" | "SL" | "LIQ" | "END" | "TIME";
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
            /** @description Candles; 14 when absent. */
            atrPeriod?: number;
            /** @description Profit that starts the trailing, a fraction. */
            activationPct?: number;
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
            /** @description Candles; 14 when absent. */
            atrPeriod?: number;
            /** @description Profit that starts the trailing, a fraction. */
            activationPct?: number;
        };
        /**
         * Format: binary
         * @description gzip of f64 columns, little-endian, one after the other, each with every sample and then every refined set: netPnl, tradeCount, winCount, profitFactor, closedDrawdownFraction, maxDrawdownFraction, sharpe, sortino, calmar, value.
         */
        TrialsBytes: string;
        TuningAnswer: {
            /** @description Factors on the weights of the live ensemble, 0.5 to 1.5 in steps of 0.05; 1 changes nothing. */
            weights: {
                adx: number;
                supertrend: number;
                ema_cross: number;
                sma_cross: number;
                pivot: number;
                vwap: number;
                mfi: number;
                donchian: number;
                ich_align: number;
                ich_cloud: number;
                news: number;
            };
            /** @description null before the first save. */
            updated_at: string | null;
            /** @description The value a preset gives every weight. */
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
                /** @description Factors on the weights of the live ensemble, 0.5 to 1.5 in steps of 0.05; 1 changes nothing. */
                weights: {
                    adx: number;
                    supertrend: number;
                    ema_cross: number;
                    sma_cross: number;
                    pivot: number;
                    vwap: number;
                    mfi: number;
                    donchian: number;
                    ich_align: number;
                    ich_cloud: number;
                    news: number;
                };
                /** Format: date-time */
                created_at: string;
            }[];
        };
        /** @description What is left out stays as it is. */
        TuningBodyInput: {
            /**
             * @description The weights to change; the others stay.
             * @default {}
             */
            weights?: {
                adx?: number;
                supertrend?: number;
                ema_cross?: number;
                sma_cross?: number;
                pivot?: number;
                vwap?: number;
                mfi?: number;
                donchian?: number;
                ich_align?: number;
                ich_cloud?: number;
                news?: number;
            };
            /**
             * Format: uuid
             * @description Go back to this version first.
             */
            version_id?: string;
            /** @description Keep the result under this name; the same name replaces it. */
            save_as?: string;
        };
        TuningHalf: {
            /** @description At least `needed` passed and as many were vetoed. */
            is_enough: boolean;
            needed: number;
            all: components["schemas"]["OutcomeGroup"];
            passed: components["schemas"]["OutcomeGroup"];
            vetoed: components["schemas"]["OutcomeGroup"];
            /** @description Mean result when as many are vetoed blindly, with the 95 % band of chance; null: not enough. */
            random: {
                mean: number;
                low: number;
                high: number;
            } | null;
            /** @description Mean result of what passed less that of the blind veto. */
            value_added: number | null;
            /** @description Share of blind vetoes of the same rate that do at least as well. */
            p_value: number | null;
            /** @description Of the vetoed, those your weights give the other direction. */
            turned: number;
            /** @description Of the confidences as recorded; null: not enough data. */
            brier_before: number | null;
            /** @description Of the confidences under your weights; less is better. */
            brier_after: number | null;
        };
        TuningValue: {
            /**
             * Format: date-time
             * @description When you last chose weights or floor; what closed before was known then: in sample.
             */
            saved_at: string;
            confidence_floor: number | null;
            in_sample: components["schemas"]["TuningHalf"];
            /** @description Signals of candles that closed after you saved. Only these judge it. */
            out_of_sample: components["schemas"]["TuningHalf"];
            /** @description Left out: their votes are not stored, or do not give their score. */
            unexplained: number;
        };
        TwoFactorSetupAnswer: {
            /** @description base32, for typing by hand. */
            secret: string;
            /** @description otpauth: URL for the QR code. */
            url: string;
        };
        UpdateUserRequest: {
            /** @description Asked again, so that an open screen is not enough. */
            current_password: string;
            password: components["schemas"]["NewPassword"];
        };
        User: {
            /** Format: uuid */
            id: string;
            email: string;
            /** Format: date-time */
            created_at: string;
        };
        Username: string;
        UsernameAnswer: {
            username: string | null;
        };
        UsernameRequest: {
            username: components["schemas"]["Username"];
        };
        VoteRecord: {
            vote: string;
            /** @description Resolved signals on whose own interval it said LONG or SHORT. */
            count: number;
            /** @description How often it was right: for a signal that gained, against one that lost. null: not enough data. */
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
                /** @description Candles [start, end) of the loaded ones. */
                train: {
                    start: number;
                    end: number;
                };
                /** @description Candles [start, end) of the loaded ones. */
                test: {
                    start: number;
                    end: number;
                };
                trainPnlPerBar: number;
                testPnlPerBar: number;
                testNetPnl: number;
                testTradeCount: number;
                params: components["schemas"]["StrategyParams"];
            }[];
            /** @description Mean test result per candle over mean training result; null with the reason. */
            efficiency: number | null;
            reason?: string;
            testNetPnl: number;
            profitableFoldCount: number;
            testPnlPerBarMin: number;
            testPnlPerBarMax: number;
        };
        /**
         * @description `stop_within_guard`: nearer than 0.2 %, so it cannot be honoured exactly; `leverage_capped`: the symbol allows less; `funding_soon`: the next funding is within 15 minutes; `loss_above_risk`: the stop loses more than the risk per trade; `margin_reduced`: smaller than the settings say, because no more equity is free.
         * @enum {string}
         */
        Warning: "stop_within_guard" | "leverage_capped" | "funding_soon" | "loss_above_risk" | "margin_reduced";
        WatchlistAnswer: {
            /** @description In the order they were added; at most 200. */
            entries: {
                symbol: string;
                /** Format: date-time */
                created_at: string;
            }[];
        };
        WatchlistRequest: {
            symbol: components["schemas"]["SymbolName"];
        };
        WebhookRequest: {
            /** @description https on port 443 or 8443, at a public address. Redirects are not followed. */
            url: string;
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
    };
    responses: {
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
        Problem429: {
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
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
