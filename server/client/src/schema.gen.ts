// Written by .ci/generateClient.ts from server/openapi.json. Do not edit.

export interface paths {
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HealthResponse"];
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
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatusResponse"];
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
    "/api/app": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            mode: "demo" | "live";
                            market: "simulated" | "replay" | "live";
                            demoAccount: boolean;
                            mail: boolean;
                            outbox: boolean;
                            signUpConfirmation: boolean;
                            version: string;
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
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MeasuredResponse"];
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
    "/api/account/username": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UsernameResponse"];
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
    "/api/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PreferencesResponse"];
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
    "/api/futures-symbols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    exchange?: components["schemas"]["ExchangeName"];
                    sort?: "name" | "turnover";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SymbolsResponse"];
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
    "/api/price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PriceResponse"];
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
    "/api/price/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    symbols: string;
                    exchange?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PriceBatchResponse"];
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
    "/api/klines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    interval: components["schemas"]["IntervalName"];
                    limit?: number;
                    endTime?: number;
                    price?: "last" | "mark";
                    exchange?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KlinesResponse"];
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
    "/api/minute-candles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MinutesResponse"];
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
    "/api/funding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    since?: number;
                    until?: number;
                    exchange?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FundingResponse"];
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
    "/api/contract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ContractResponse"];
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
    "/api/technical-indicators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["IndicatorsResponse"];
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
    "/api/market/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StoredHistoryResponse"];
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
    "/api/market/history/candles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    interval: components["schemas"]["IntervalName"];
                    exchange?: components["schemas"]["ExchangeName"];
                    price?: components["schemas"]["StoredPrice"];
                    limit?: number;
                    endTime?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/octet-stream": components["schemas"]["StoredCandlesBytes"];
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
    "/api/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunBacktestResponse"];
                    };
                };
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchResponse"];
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
    "/api/backtest/last": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LastBacktestResponse"];
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
    "/api/backtest/saved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SavedRunsResponse"];
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
    "/api/backtest/searches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchesResponse"];
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
    "/api/backtest/searches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchResponse"];
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
    "/api/backtest/searches/{id}/trials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/octet-stream": components["schemas"]["TrialsBytes"];
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
    "/api/backtest/searches/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchResponse"];
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
    "/api/backtest/portfolio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunPortfolioResponse"];
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
    "/api/backtest/portfolio/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchPortfolioResponse"];
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
    "/api/backtest/luck": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LuckResponse"];
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
    "/api/backtest/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            format: "sextant-proof-1";
                            issuer: string;
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
                                    at: string;
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
                                algorithm: "Ed25519";
                                id: string;
                                publicKey: string;
                            };
                            signature: string;
                        };
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
    "/.well-known/sextant-proof-key.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            algorithm: "Ed25519";
                            keys: {
                                id: string;
                                public_key: string;
                                created_at: string;
                                retired_at: string | null;
                            }[];
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
    "/api/rules/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CheckRulesResponse"];
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
    "/api/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreditsResponse"];
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
    "/api/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProfileResponse"];
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
    "/api/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RankingResponse"];
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
    "/api/watchlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WatchlistResponse"];
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
    "/api/charts/drawings/{symbol}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DrawingsResponse"];
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
    "/api/charts/layouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LayoutsResponse"];
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
    "/api/support/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HelpCategoriesAnswer"];
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
    "/api/support/articles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    q?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HelpArticlesAnswer"];
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
    "/api/support/articles/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HelpArticle"];
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
    "/api/account/api-subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SubscriptionResponse"];
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
    "/api/account/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WhoAmIResponse"];
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
    "/api/account/api-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    key_id?: string;
                    route?: string;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiLogsResponse"];
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
    "/api/account/api-logs/routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CalledRoutesResponse"];
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
    "/api/account/api-logs/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    key_id?: string;
                    route?: string;
                    status?: string;
                    mode?: components["schemas"]["KeyMode"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiLogsCsv"];
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
    "/api/account/api-usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiUsageResponse"];
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
    "/api/documentation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DocumentationResponse"];
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
    "/api/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorInfoResponse"];
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
    "/api/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CollectionsResponse"];
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
    "/api/collections/postman.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CollectionFile"];
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
    "/api/collections/insomnia.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CollectionFile"];
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
    "/api/collections/curl.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CurlCollection"];
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
    "/api/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SandboxClockResponse"];
                    };
                };
            };
        };
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SandboxMoveResponse"];
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
    "/api/futures-signal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignalResponse"];
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
    "/api/ensemble": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    intervals?: string;
                    exchange?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignalResponse"];
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
    "/api/tuning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TuningResponse"];
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
    "/api/strategies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StrategiesResponse"];
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
    "/api/strategies/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StrategyVersionsResponse"];
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
    "/api/scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
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
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScanStarted"];
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
    "/api/scan/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScanResponse"];
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
    "/api/scan/last": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LastScanResponse"];
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
    "/api/scan/away": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AwayResponse"];
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
    "/api/scan/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScanResponse"];
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
    "/api/scan/{id}/candidates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CandidatesResponse"];
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
    "/api/signal/ai-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AiCheckResponse"];
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
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    mine?: "true" | "false";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HistoryResponse"];
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
    "/api/performance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PerformanceResponse"];
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
    "/api/replayed-signals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    interval: "15m" | "1h" | "4h";
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReplayedResponse"];
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
    "/api/strategies/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StrategyReplayResponse"];
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
    "/api/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    state?: "open" | "closed";
                    since?: string;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PositionsResponse"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
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
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenedResponse"];
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
    "/api/positions/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    since?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsResponse"];
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
    "/api/positions/skips": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    since?: string;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SkipsResponse"];
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
    "/api/positions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PositionResponse"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChangedResponse"];
                    };
                };
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
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LastRunResponse"];
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
    "/api/positions/guards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GuardsResponse"];
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
    "/api/positions/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PreviewResponse"];
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
    "/api/positions/close-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CloseAllResponse"];
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
    "/api/positions/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClosedResponse"];
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
    "/api/positions/{id}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReversedResponse"];
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
    "/api/positions/{id}/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PositionReconciliation"];
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
    "/api/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReconciliationResponse"];
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
    "/api/journal/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    zone?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JournalStatisticsResponse"];
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
    "/api/journal/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JournalResponse"];
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
    "/api/journal/{id}/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/webp": components["schemas"]["PictureBytes"];
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
    "/api/market/positioning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    symbols: string;
                    exchange?: components["schemas"]["ExchangeName"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PositioningListResponse"];
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
    "/api/market/positioning/{symbol}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PositioningResponse"];
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
    "/api/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrdersResponse"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
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
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderResponse"];
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
    "/api/orders/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderPreviewResponse"];
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderResponse"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderResponse"];
                    };
                };
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
        post: {
            parameters: {
                query?: never;
                header?: {
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ArbitrageScanResponse"];
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
    "/api/arbitrage/last": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LastArbitrageResponse"];
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
    "/api/arbitrage/scans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneArbitrageScanResponse"];
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
    "/api/arbitrage/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PairBooksResponse"];
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
    "/api/arbitrage/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    buy: components["schemas"]["ExchangeName"];
                    sell: components["schemas"]["ExchangeName"];
                    hours?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SpreadHistoryResponse"];
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
    "/api/arbitrage/persistence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SpreadPersistenceResponse"];
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
    "/api/arbitrage/funding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FundingDifferencesResponse"];
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
    "/api/arbitrage/watches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ArbitrageWatchesResponse"];
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
    "/api/vision/last": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LastVisionResponse"];
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
    "/api/vision/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["VisionStatistics"];
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
    "/api/vision/pictures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/webp": components["schemas"]["PictureBytes"];
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
    "/api/vision/patterns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PatternRecordResponse"];
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
    "/api/vision/analyze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["VisionResponse"];
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
    "/api/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationsResponse"];
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
    "/api/notifications/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveriesResponse"];
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
    "/api/notifications/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SecretResponse"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationsResponse"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationsResponse"];
                    };
                };
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
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RenewedResponse"];
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
    "/api/notifications/webhook/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestResponse"];
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
    "/api/notifications/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveriesResponse"];
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
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhooksResponse"];
                    };
                };
            };
        };
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookCreated"];
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhooksResponse"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookResponse"];
                    };
                };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RenewedResponse"];
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
    "/api/webhook/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookTestResponse"];
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
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookDeliveriesResponse"];
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
    "/api/webhooks/{id}/deliveries/{delivery}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookDeliveryResponse"];
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
    "/api/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertsResponse"];
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
    "/api/alerts/{id}/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertReceiptsResponse"];
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
    "/api/news": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    symbol?: components["schemas"]["SymbolName"];
                    source?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsResponse"];
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
    "/api/news/tweets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TweetsResponse"];
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
    "/api/news/market": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsMarketResponse"];
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
    "/api/news/sentiment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsSentimentResponse"];
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
    "/api/news/trending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsTrendingResponse"];
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
    "/api/news/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsRecordsResponse"];
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
    "/api/news/marks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    symbol: components["schemas"]["SymbolName"];
                    from: number;
                    to: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsMarksResponse"];
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
    "/api/news/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewsSettings"];
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AiCheckBodyInput: {
            scan_id: string;
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            limit?: components["schemas"]["CandleLimit"];
            balance?: components["schemas"]["Balance"];
            riskTolerance?: components["schemas"]["RiskTolerance"];
            leverage?: components["schemas"]["Leverage"];
            tuning?: components["schemas"]["Tuning"];
            allowAiCorrectionOnReject?: boolean;
            softApproval?: boolean;
        };
        AiCheckResponse: {
            scan_id: string;
            symbol: string;
            interval: string;
            ai_state: "online" | "approved" | "rejected" | "offline";
            rule_check: ("not_run" | "passed" | "not_passed") | null;
            aiApproved: boolean | null;
            aiRationale: string | null;
            aiProposal: components["schemas"]["AiProposal"] | null;
            suggestedRiskMultiplier: number | null;
            correction: {
                stop_loss_pct: number;
                take_profit_pct: number;
            } | null;
            decided_by: ("model" | "built_in") | null;
            model: string | null;
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
            decided_by: "model" | "built_in";
            model: string;
            open: number;
            repeats: number;
            is_enough: boolean;
            needed: number;
            all: components["schemas"]["OutcomeGroup"];
            passed: components["schemas"]["OutcomeGroup"];
            vetoed: components["schemas"]["OutcomeGroup"];
            random: {
                mean: number;
                low: number;
                high: number;
            } | null;
            value_added: number | null;
            p_value: number | null;
        };
        Alert: {
            id: string;
            condition: components["schemas"]["AlertCondition"];
            text: string;
            repeats: boolean;
            pause_minutes: number;
            channels: ("page" | "push" | "email" | "telegram" | "webhook")[];
            note: string | null;
            expires_at: components["schemas"]["InstantOrNull"];
            state: "active" | "paused" | "fired" | "expired" | "stopped";
            state_reason: string | null;
            fired_count: number;
            last_fired_at: components["schemas"]["InstantOrNull"];
            created_at: string;
        };
        AlertCondition: {
            kind: "price";
            exchange: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            when: "cross" | "above" | "below";
            level: number;
        } | {
            kind: "change";
            exchange: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            minutes: number;
            pct: number;
            direction: "up" | "down" | "either";
        } | {
            kind: "indicator";
            exchange: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            indicator: string;
            params: {
                [key: string]: number;
            };
            output: string;
            when: "cross" | "above" | "below";
            level: number;
        } | {
            kind: "signal";
            exchange: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            strategy_id: string | null;
            direction: "LONG" | "SHORT" | "any";
        } | {
            kind: "spread";
            symbol: components["schemas"]["SymbolName"];
            buy: components["schemas"]["ExchangeName"];
            sell: components["schemas"]["ExchangeName"];
            net_pct: number;
            hold_hours: number;
        } | {
            kind: "funding";
            exchange: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            when: "cross" | "above" | "below";
            rate_pct: number;
        } | {
            kind: "liquidation";
            position_id: string;
            distance_pct: number;
        } | {
            kind: "news";
            symbol: components["schemas"]["SymbolName"];
            high_impact: boolean;
        } | {
            kind: "formula";
            exchange: components["schemas"]["ExchangeName"];
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            expression: string;
        };
        AlertReceipt: {
            id: string;
            alert_id: string;
            firing: number;
            condition: components["schemas"]["AlertCondition"];
            text: string;
            value_text: string | null;
            note: string | null;
            evidence: {
                side_before: ("below" | "above") | null;
                value: number;
                before: {
                    value: number;
                    atMs: number;
                } | null;
                observation: {
                    source: "value";
                    value: number;
                    atMs: number;
                } | {
                    source: "candle";
                    openMs: number;
                    closeMs: number;
                    isWhole: boolean;
                    high: number;
                    low: number;
                    close: number;
                };
                basis: ({
                    kind: "change";
                    from: {
                        value: number;
                        atMs: number;
                    };
                    price: number;
                } | {
                    kind: "candles";
                    exchange: string;
                    symbol: string;
                    interval: string;
                    close_ms: number;
                    count: number;
                    hash: string;
                } | {
                    kind: "prices";
                    buy_price: number;
                    sell_price: number;
                } | {
                    kind: "position";
                    price: number;
                    liquidation_price: number;
                } | {
                    kind: "story";
                    title: string;
                    link: string;
                    source: string;
                }) | null;
            };
            exchange_at: string;
            detected_at: string;
            shown_at: components["schemas"]["InstantOrNull"];
            is_late: boolean;
            deliveries: {
                channel: "page" | "push" | "email" | "telegram" | "webhook";
                state: "waiting" | "sent" | "failed";
                at: components["schemas"]["InstantOrNull"];
                failure: string | null;
            }[];
        };
        AlertReceiptsResponse: {
            receipts: components["schemas"]["AlertReceipt"][];
        };
        AlertsResponse: {
            alerts: components["schemas"]["Alert"][];
            count_max: number;
            channels: {
                id: "page" | "push" | "email" | "telegram" | "webhook";
                missing: string | null;
            }[];
        };
        AnalyticsGroup: {
            name: string;
            trades: number;
            wins: number;
            pnl: number;
            net_pnl: number;
            mean_r: components["schemas"]["RiskMultiple"];
        };
        AnalyticsResponse: {
            balance_usdt: number;
            all: components["schemas"]["AnalyticsTotals"];
            last_24h: components["schemas"]["AnalyticsTotals"];
            by_reason: components["schemas"]["AnalyticsGroup"][];
            by_side: components["schemas"]["AnalyticsGroup"][];
            by_symbol: components["schemas"]["AnalyticsGroup"][];
            by_source: components["schemas"]["AnalyticsGroup"][];
            by_confidence: components["schemas"]["AnalyticsGroup"][];
            curve: {
                at: string;
                net_pnl: number;
                total: number;
            }[];
            equity: {
                at: string;
                equity: number | null;
                realised: number;
                unrealised: number | null;
                exposure: number | null;
                missing: number;
            }[];
        };
        AnalyticsTotals: {
            trades: number;
            wins: number;
            losses: number;
            win_rate: number | null;
            pnl: number;
            fees: number;
            funding: number;
            net_pnl: number;
            profit_factor: number | null;
            expectancy: number | null;
            best: number | null;
            worst: number | null;
            mean_hours_held: number | null;
            max_drawdown: number;
            mean_r: components["schemas"]["RiskMultiple"];
        };
        ApiCall: {
            created_at: string;
            request_id: string;
            method: string;
            path: string;
            route: string;
            status: number;
            success: boolean;
            duration_ms: number;
            ip: string;
            credits: number;
            key_id: string;
            key_name: string | null;
            mode: components["schemas"]["KeyMode"];
        };
        ApiLogsCsv: string;
        ApiLogsResponse: {
            items: components["schemas"]["ApiCall"][];
        };
        ApiPlan: "FREE" | "STARTER" | "PRO" | "BUSINESS";
        ApiScopeName: "read:market" | "read:signals" | "run:signals" | "run:arbitrage" | "run:backtest" | "read:account" | "trade:paper" | "manage:webhooks";
        ApiUsageResponse: {
            total: number;
            success: number;
            not_listed: number;
            success_rate: number | null;
            credits: number;
            avg_ms: number | null;
            p50_ms: number | null;
            p95_ms: number | null;
            p99_ms: number | null;
            items: {
                at: string;
                total: number;
                ok: number;
            }[];
            routes: {
                route: string;
                total: number;
            }[];
        };
        AppliedContract: {
            exchange: components["schemas"]["ExchangeName"];
            symbol: string;
            tickSize: number;
            stepSize: number;
            minNotional: number;
            maxQuantity: number;
            leverageMax: number | null;
            tiers: components["schemas"]["LeverageTier"][] | null;
            endedAt?: string;
            leverage: number;
            notes: string[];
        };
        ArbitrageItem: {
            symbol: string;
            spreadPct: number;
            badge: components["schemas"]["SpreadBadge"];
            bestBuy: components["schemas"]["ExchangeName"];
            bestSell: components["schemas"]["ExchangeName"];
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
            skewMs: number;
            midSkewPct: number;
            theoreticalPnlUsdt: number;
            netAtBestPricesPct: number;
            atNotional: components["schemas"]["SizedSpread"] | null;
            atBestSize: components["schemas"]["SizedSpread"] | null;
            depth: "read" | "not_read" | "failed";
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
            items: components["schemas"]["ArbitrageItem"][];
            found: number;
            compared: number;
            leftOut: {
                counts: {
                    [key: string]: number;
                };
                examples: {
                    symbol: string;
                    exchange: components["schemas"]["ExchangeName"] | null;
                    reason: components["schemas"]["LeftOutReason"];
                }[];
            };
            venues: components["schemas"]["ArbitrageVenue"][];
            averageSpreadPct: number | null;
            riskLevel: ("HIGH" | "MEDIUM" | "LOW") | null;
            netPositive: number;
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
            scanId: string;
            status: components["schemas"]["ArbitrageStatus"];
            createdAt: string;
            finishedAt: components["schemas"]["InstantOrNull"];
            params: components["schemas"]["ArbitrageParams"];
            progress: {
                done: number;
                total: number;
            };
            results: components["schemas"]["ArbitrageResults"] | null;
            failure: string | null;
        };
        ArbitrageScanBodyInput: {
            symbols: string[];
            minSpreadPct?: number;
            notionalUsdt?: number;
            exchanges?: components["schemas"]["ExchangeName"][];
            maxCount?: number;
            holdHours?: number;
            takerFees?: {
                binance?: number;
                bybit?: number;
                okx?: number;
            };
        };
        ArbitrageScanResponse: {
            scanId: string;
            items: components["schemas"]["ArbitrageItem"][];
            scan: components["schemas"]["ArbitrageScan"];
            charged: boolean;
            credits: number;
            message: string;
        };
        ArbitrageStatus: "running" | "done" | "empty" | "failed";
        ArbitrageVenue: {
            exchange: components["schemas"]["ExchangeName"];
            state: "compared" | "failed";
            failure: string | null;
            quotes: number;
            streamed: number;
        };
        ArbitrageWatch: {
            id: string;
            symbol: string;
            buy: components["schemas"]["ExchangeName"];
            sell: components["schemas"]["ExchangeName"];
            netPct: number;
            holdHours: number;
            takerFees: {
                buy: number;
                sell: number;
            };
            createdAt: string;
            isAbove: boolean;
            crossings: number;
            lastCrossedAt: components["schemas"]["InstantOrNull"];
        };
        ArbitrageWatchesResponse: {
            watches: components["schemas"]["ArbitrageWatch"][];
            targets: number;
        };
        AtrPeriod: number;
        AutoItem: {
            symbol: string;
            interval: string;
            side: components["schemas"]["Side"] | null;
            confidence: number | null;
            outcome: "OPENED" | "FAILED" | "NEUTRAL" | "LOW_CONF" | "ZERO_QTY" | "NO_MATCH";
            detail: components["schemas"]["SkipDetail"] | null;
            message: string;
            position_id: string | null;
        };
        AutoRun: {
            id: string;
            scan_id: string;
            created_at: string;
            finished_at: components["schemas"]["InstantOrNull"];
            opened: number;
            skipped: number;
            failed: number;
            reason: components["schemas"]["SkipReason"] | null;
            is_first: boolean;
            refused: "scan_too_old" | null;
            messages: string[];
            items: components["schemas"]["AutoItem"][];
        };
        AwayResponse: {
            is_on: boolean;
            last: {
                at: string;
                scan_id: string | null;
                status: "queued" | "running" | "done" | "failed" | "cancelled" | "refused";
                message: string | null;
            } | null;
        };
        BacktestSetup: {
            exchange: string | null;
            label: string | null;
            end_time: number;
            loaded: number;
            scored: number;
            costs: {
                takerFeeFraction: number;
                makerFeeFraction: number;
                slippageFraction: number;
                stopSlippageFraction: number;
                initialEquity: number;
                notional: number;
                leverage: number;
                maintenanceMarginFraction: number;
                assumedFundingFraction: number;
                takeProfitOrder: "market" | "limit";
                fundingSource: "history" | "assumed" | "off";
                sameBar: "stop" | "target";
                liquidationModel?: "binance" | "bybit" | "okx";
                tiers?: components["schemas"]["LeverageTier"][];
                tickSize?: number;
                stepSize?: number;
                minNotional?: number;
                maxQuantity?: number;
                impactCoefficient?: number;
                turnoverShareMax?: number;
                rulesOf?: {
                    exchange: "binance" | "bybit" | "okx";
                    symbol: string;
                    leverageAsked?: number;
                    areTiersAssumed?: boolean;
                };
            };
            fineData?: boolean;
            isRange?: boolean;
        };
        Balance: number;
        BestRun: {
            pnl: number;
            trades: number;
            maxDrawdown: number;
            bestParams: components["schemas"]["StrategyParams"];
            netPnl: number;
            pessimisticNetPnl: number;
            optimisticNetPnl: number;
            winRate: number | null;
            tradeCount: number;
            maxDrawdownFraction: number;
            sharpe: components["schemas"]["Statistic"];
            sortino: components["schemas"]["Statistic"];
            profitFactor: number | null;
            expectancy: number | null;
            exposureFraction: number;
            fees: number;
            ambiguousFraction: number;
            buyAndHoldFraction: number;
            grossPnl: number;
            slippage: number;
            funding: number;
            ruinIndex: number | null;
            gapCount: number;
            missingCandleCount: number;
            loadedCount: number;
            scoredCount: number;
            longCount: number;
            shortCount: number;
            stopBeyondLiquidationCount: number;
            isFundingKnown: boolean;
            droppedSignalCount: number;
            skippedSignalCount: number;
            liquidationCount: number;
            forcedCloseCount: number;
            droppedSignals: {
                noVolume: number;
                tooSmall: number;
                marginShort: number;
            };
            dayCount: number;
            annualReturnFraction: number | null;
            marketChangeFraction: number;
            alphaFraction: number | null;
            beta: number | null;
            bestDayFraction: number | null;
            worstDayFraction: number | null;
            wonDayCount: number | null;
            flatDayCount: number | null;
            lostDayCount: number | null;
            calmar: number | null;
            omega: number | null;
            maxDrawdownUsdt: number;
            intrabarDrawdownFraction: number;
            longestUnderwaterCandles: number;
            underwaterFraction: number;
            sqn: number | null;
            meanPValue: number | null;
            kellyFraction: number | null;
            winRateLong: number | null;
            winRateShort: number | null;
            averageWin: number | null;
            averageLoss: number | null;
            payoffRatio: number | null;
            expectancyRatio: number | null;
            bestTrade: number | null;
            worstTrade: number | null;
            winsInARow: number;
            lossesInARow: number;
            candlesHeldByWinners: number | null;
            candlesHeldByLosers: number | null;
            turnoverShareLargest: number | null;
            turnoverShareMedian: number | null;
            largeFillTradeCount: number;
            limitedEntryCount: number;
            largestOrders: number;
            sizesCut: {
                count: number;
                fromMs: number;
            } | null;
            tradeList: components["schemas"]["Trade"][];
            equity: number[];
            score: (number | null)[];
            hashes: {
                engine: string;
                data: string;
                params: string;
                result: string;
            };
            origin: {
                kind: "sample" | "refined";
                index: number;
            };
            value: number | null;
            reason?: string;
            train: {
                [key: string]: unknown;
            };
            strategy?: components["schemas"]["StoredStrategy"];
            values?: {
                [key: string]: number;
            };
        };
        Calibration: {
            count: number;
            brier: number | null;
            brier_of_base_rate: number | null;
            log_loss: number | null;
            log_loss_of_base_rate: number | null;
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
        CancelReason: "owner" | "delisted" | "margin" | "no_position" | "rejected" | "deleted";
        CandidatesResponse: {
            candidates: {
                symbol: string;
                interval: string;
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
        ChangeBodyInput: {
            stop_loss?: number;
            take_profit?: number;
            take_profits?: components["schemas"]["Targets"];
            break_even?: true;
            trailing?: components["schemas"]["TrailingChange"];
            expected?: {
                stop_loss: number;
                take_profit: number;
                take_profits?: components["schemas"]["TargetSharesInput"] | null;
            };
        };
        ChangedFields: {
            stop_loss?: number;
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
            rules: string;
            interval?: components["schemas"]["IntervalName"];
        };
        CheckRulesResponse: {
            ok: boolean;
            errors: {
                line: number;
                column: number;
                length: number;
                message: string;
                fix: string;
            }[];
            warnings: {
                line: number;
                column: number;
                length: number;
                message: string;
                fix: string;
            }[];
            parameters: {
                name: string;
                value: number;
                from: number;
                to: number;
                step: number;
                count: number;
            }[];
            setCount: number;
            lookBack: {
                interval: string;
                candles: number;
            }[];
        };
        CloseAllBody: {
            which: "all" | "losers" | "winners" | "long" | "short";
        };
        CloseAllResponse: {
            closed: components["schemas"]["Position"][];
            left: {
                id: string;
                symbol: string;
                side: components["schemas"]["Side"];
                code: string;
                message: string;
            }[];
            net_pnl: number;
        };
        CloseBody: {
            fraction?: number;
            quantity?: number;
        };
        CloseReason: "LIQ" | "SL" | "TP" | "MANUAL" | "TIME" | "SIGNAL" | "DELISTED";
        ClosedResponse: {
            position: components["schemas"]["Position"];
            fill: components["schemas"]["PositionFill"];
            notes: string[];
        };
        CollectionEntry: {
            name: "postman" | "insomnia" | "curl";
            download_url: string;
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
            version: number | null;
            outcome_count: number;
            needed: number;
            base_rate: number | null;
            as_of: components["schemas"]["InstantOrNull"];
            window_from: components["schemas"]["InstantOrNull"];
            window_to: components["schemas"]["InstantOrNull"];
            points: {
                raw: number;
                chance: number;
            }[];
            mean_win_stops: number | null;
            mean_loss_stops: number | null;
            replayed?: {
                as_of: string;
                outcome_count: number;
                base_rate: number | null;
                window_from: components["schemas"]["InstantOrNull"];
                window_to: components["schemas"]["InstantOrNull"];
                points: {
                    raw: number;
                    chance: number;
                }[];
                mean_win_stops: number | null;
                mean_loss_stops: number | null;
                mean_net_pct: number | null;
                net_low_pct: number | null;
                net_high_pct: number | null;
            } | null;
        };
        ConfidenceKind: "score" | "calibrated";
        ConfidenceReport: {
            origin: components["schemas"]["Origin"];
            bases: components["schemas"]["ConfidenceBasis"][];
            before: components["schemas"]["Calibration"];
            after: components["schemas"]["Calibration"];
            chance: components["schemas"]["Calibration"];
        };
        ContractResponse: {
            exchange: components["schemas"]["ExchangeName"];
            market: "simulated" | "replay" | "live";
            data_age_ms: number;
            contract: components["schemas"]["ContractRules"];
        };
        ContractRules: {
            exchange: components["schemas"]["ExchangeName"];
            symbol: string;
            tickSize: number;
            stepSize: number;
            minNotional: number;
            maxQuantity: number;
            leverageMax: number | null;
            tiers: components["schemas"]["LeverageTier"][] | null;
            endedAt?: string;
        };
        CreditsResponse: {
            balance: number;
            credits: number;
            held: number;
            entries: {
                id: string;
                at: string;
                kind: "grant" | "hold" | "capture" | "release";
                reason: string;
                credits: number;
                ref: string | null;
                note: string | null;
            }[];
        };
        CurlCollection: string;
        DeliveriesResponse: {
            deliveries: {
                id: string;
                channel: "telegram" | "webhook" | "email" | "push";
                kind: "scan_finished" | "credits_low" | "position_opened" | "position_closed" | "arbitrage_spread" | "alert_fired" | "alert_ended" | "test";
                state: "waiting" | "sent" | "failed";
                attempt_count: number;
                next_attempt_at: components["schemas"]["InstantOrNull"];
                status: number | null;
                failure: string | null;
                created_at: string;
                finished_at: components["schemas"]["InstantOrNull"];
            }[];
        };
        DocumentationResponse: {
            base_url: string;
            calls: components["schemas"]["DocumentedCall"][];
            stream: components["schemas"]["DocumentedCall"];
        };
        DocumentedCall: {
            page: "authentication" | "signals" | "market" | "analysis" | "webhooks" | "usage";
            method: "GET" | "POST";
            path: string;
            summary: string;
            description: string;
            access: string;
            costs: number;
            parameters: {
                name: string;
                type: string;
                is_required: boolean;
                description: string;
            }[];
            answer: {
                name: string;
                type: string;
                is_required: boolean;
                description: string;
            }[];
            status: number;
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
            sandbox_answer: string | null;
            examples: {
                curl: string;
                typescript: string;
                python: string;
            };
        };
        DrawingAnchor: {
            time: number;
            price: number;
        };
        DrawingsResponse: {
            symbol: string;
            version: number;
            drawings: components["schemas"]["StoredDrawing"][];
        };
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
                plan: "FREE" | "STARTER" | "PRO" | "BUSINESS";
                hourly_limit: number;
                price_credits_month: number;
            }[];
            best_practices: string[];
        };
        ExchangeName: "binance" | "bybit" | "okx";
        ExternalStatus: "ok" | "degraded" | "down" | "unknown";
        Funding: {
            time: number[];
            rate: number[];
            mark?: number[];
        };
        FundingDifference: {
            symbol: string;
            long: components["schemas"]["ExchangeName"];
            short: components["schemas"]["ExchangeName"];
            differencePerDayPct: number;
            legs: {
                long: components["schemas"]["FundingLeg"];
                short: components["schemas"]["FundingLeg"];
            };
            feesPct: number;
            breakEvenHours: number | null;
            settlements: {
                atMs: number;
                differencePct: number;
            }[];
            settledPerDayPct: number | null;
            settledLowPct: number | null;
            settledHighPct: number | null;
            priceRiskPct: number | null;
        };
        FundingDifferencesResponse: {
            rows: components["schemas"]["FundingDifference"][];
            asOfMs: number;
            symbols: number;
        };
        FundingForecast: {
            count: number;
            error: number;
            mean_error_pct: number;
        } | null;
        FundingLeg: {
            ratePct: number;
            intervalHours: number;
            perDayPct: number;
            nextFundingAtMs: number;
            forecast: {
                count: number;
                meanAbsPct: number;
                biasPct: number;
            } | null;
        };
        FundingResponse: {
            symbol: string;
            exchange: components["schemas"]["ExchangeName"];
            market: "simulated" | "replay" | "live";
            data_age_ms: number;
            funding_rate: number;
            next_funding_at: string;
            interval_hours: number | null;
            interval_source: ("exchange" | "stamps") | null;
            history: {
                at: string;
                funding_rate: number;
            }[];
        };
        FuturesSignalBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            limit?: components["schemas"]["CandleLimit"];
            balance?: components["schemas"]["Balance"];
            riskTolerance?: components["schemas"]["RiskTolerance"];
            leverage?: components["schemas"]["Leverage"];
            intervals?: components["schemas"]["IntervalName"][];
            tuning?: components["schemas"]["Tuning"];
            exchange?: components["schemas"]["ExchangeName"];
        };
        GuardState: {
            name: "daily_loss" | "stop_streak" | "drawdown";
            is_on: boolean;
            is_tripped: boolean;
            limit: number | null;
            value: number;
            until: components["schemas"]["InstantOrNull"];
        };
        GuardsResponse: {
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
            status: "ok" | "degraded";
            message: string;
            timestamp: string;
            responseTime: number;
            uptime: number;
            external_api_status: components["schemas"]["ExternalStatus"];
            unexpected_errors: number;
            jobs_set_aside: number;
            silent_streams: number;
            unpriced_positions: number;
        };
        HelpArticle: {
            id: string;
            slug: string;
            title: string;
            question: string;
            category: string;
            tags: string[];
            created_at: string;
            content_md: string;
            sections: {
                anchor: string;
                heading: string;
            }[];
            related: {
                slug: string;
                title: string;
            }[];
        };
        HelpArticleCard: {
            id: string;
            slug: string;
            title: string;
            question: string;
            category: string;
            tags: string[];
            created_at: string;
            featured: boolean;
            snippet: {
                text: string;
                is_hit: boolean;
            }[];
        };
        HelpArticlesAnswer: {
            articles: components["schemas"]["HelpArticleCard"][];
            corrected_to: string | null;
            nearest: components["schemas"]["HelpArticleCard"][];
            is_other_language: boolean;
        };
        HelpCategoriesAnswer: {
            categories: components["schemas"]["HelpCategory"][];
        };
        HelpCategory: {
            slug: string;
            name: string;
            article_count: number;
        };
        HistoryResponse: {
            signals: {
                id: string;
                created_at: string;
                exchange: components["schemas"]["ExchangeName"];
                market: "simulated" | "replay" | "live";
                symbol: string;
                interval: string;
                candle_close_at: string;
                direction: "LONG" | "SHORT";
                confidence: number;
                confidence_kind: components["schemas"]["ConfidenceKind"];
                raw_confidence: number;
                price: number;
                stop_loss: number;
                take_profit: number;
                horizon_min: number;
                risk_label: string;
                mine: boolean;
                hashes: components["schemas"]["SignalHashes"];
                outcome: {
                    outcome: "TP" | "SL" | "TIME" | "DELISTED";
                    exit_price: number;
                    exit_at: string;
                    net_fraction: number;
                    is_ambiguous: boolean;
                    basis: string;
                } | null;
            }[];
        };
        HistoryRevision: {
            interval: components["schemas"]["IntervalName"];
            price: components["schemas"]["StoredPrice"];
            at: string;
            noticed_at: string;
            first: components["schemas"]["CandleVersion"] | null;
            revised: components["schemas"]["CandleVersion"];
        };
        HonestyVerdict: {
            level: "luck" | "unclear" | "holds up" | "not enough data";
            words: string;
            trialCount: number;
            earlierLooks: number;
            family: {
                markets: number;
                trials: number;
            };
            figures: {
                id: string;
                name: string;
                value: number | null;
                reason?: string;
                says: "luck" | "skill" | "neither";
                words: string;
            }[];
        };
        IndicatorsBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            limit?: number;
            indicators?: (string | ({
                id: string;
                as?: string;
            } & {
                [key: string]: number;
            }))[];
            series?: boolean;
            exchange?: components["schemas"]["ExchangeName"];
        };
        IndicatorsResponse: {
            symbol: string;
            interval: components["schemas"]["IntervalName"];
            exchange: components["schemas"]["ExchangeName"];
            market: "simulated" | "replay" | "live";
            data_age_ms: number;
            candle_close_at: components["schemas"]["InstantOrNull"];
            candle_count: number;
            indicators: {
                [key: string]: (number | null) | {
                    [key: string]: number | null;
                };
            };
            time?: number[];
            series?: {
                [key: string]: {
                    [key: string]: (number | null)[];
                };
            };
        };
        InstantOrNull: string | null;
        IntervalName: "1m" | "5m" | "15m" | "1h" | "4h" | "1d";
        JournalDay: {
            day: string;
            trades: number;
            wins: number;
            net_pnl: number;
            r_multiple: components["schemas"]["RiskMultiple"];
        };
        JournalEntry: {
            position_id: string;
            note: string;
            tags: string[];
            revision: number;
            updated_at: components["schemas"]["InstantOrNull"];
            picture: components["schemas"]["JournalPicture"] | null;
        };
        JournalPicture: {
            width: number;
            height: number;
            created_at: string;
        };
        JournalResponse: {
            entry: components["schemas"]["JournalEntry"];
        };
        JournalStatisticsResponse: {
            zone: string;
            today: string;
            days: components["schemas"]["JournalDay"][];
            by_tag: components["schemas"]["AnalyticsGroup"][];
            by_hour: components["schemas"]["AnalyticsGroup"][];
            by_symbol: components["schemas"]["AnalyticsGroup"][];
            by_setup: components["schemas"]["AnalyticsGroup"][];
        };
        KeyMode: "live" | "test";
        KlinesResponse: {
            symbol: string;
            interval: components["schemas"]["IntervalName"];
            exchange: components["schemas"]["ExchangeName"];
            market: "simulated" | "replay" | "live";
            data_age_ms: number;
            candles: {
                time: number[];
                open: number[];
                high: number[];
                low: number[];
                close: number[];
                volume: number[];
            };
            candle_close_at: components["schemas"]["InstantOrNull"];
            gaps: {
                from: string;
                to: string;
                missing: number;
            }[];
        };
        LabTrade: {
            entry_price: number;
            entered_at: string;
            quantity: number;
            exit_price: number;
            exited_at: string;
            exit_reason: ("LIQ" | "SL" | "TP" | "TIME" | "SIGNAL") | null;
        };
        LastArbitrageResponse: {
            scanId: string | null;
            items: components["schemas"]["ArbitrageItem"][];
            scan: components["schemas"]["ArbitrageScan"] | null;
            emptyAt: components["schemas"]["InstantOrNull"];
            active: components["schemas"]["ArbitrageScan"] | null;
        };
        LastBacktestResponse: {
            backtest: {
                id: string;
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
            scan: components["schemas"]["Scan"] | null;
            active: components["schemas"]["Scan"] | null;
        };
        LastVisionResponse: {
            analysis: components["schemas"]["VisionAnalysis"] | null;
            is_running: boolean;
            auto_open: boolean;
            detection: "smart" | "rules";
        };
        LayoutChart: {
            symbol: components["schemas"]["SymbolName"] | null;
            interval: components["schemas"]["IntervalName"];
            scale: "linear" | "log" | "percent";
            indicators: string[];
        };
        LayoutValue: {
            charts: components["schemas"]["LayoutChart"][];
            pane_size: "small" | "medium" | "large";
        };
        LayoutsResponse: {
            layouts: {
                id: string;
                name: string;
                value: components["schemas"]["LayoutValue"];
            }[];
        };
        LeftOutReason: "not_listed" | "halted" | "doubtful_contract" | "no_quote" | "old_quote" | "stamps_differ" | "one_exchange" | "gone";
        Leverage: number;
        LeverageTier: {
            notionalFloor: number;
            maintenanceMarginFraction: number;
            maintenanceAmount: number;
            leverageMax: number;
        };
        LeverageTierInput: {
            notionalFloor: number;
            maintenanceMarginFraction: number;
            maintenanceAmount?: number;
            leverageMax: number;
        };
        Live: {
            price: number;
            at: string;
            pnl: number;
            roi_pct: number;
            net_pnl: number;
            return_on_margin_pct: number;
        } | null;
        LivePosition: {
            id: string;
            symbol: string;
            side: components["schemas"]["Side"];
            interval: components["schemas"]["IntervalName"];
            exchange: components["schemas"]["ExchangeName"];
            market: "simulated" | "replay" | "live";
            source: "scan" | "vision" | "manual";
            scan_id: string | null;
            signal_id: string | null;
            entry_price: number;
            qty: number;
            entry_value: number;
            realised_pnl: number;
            leverage: number;
            notional: number;
            margin: number;
            stop_loss: number;
            initial_stop_loss: number;
            take_profit: number;
            take_profits: components["schemas"]["TargetShares"] | null;
            liquidation_approx: number | null;
            confidence: number;
            risk_multiplier: number;
            taker_fee_fraction: number;
            tick_size: number;
            loss_at_stop: number;
            loss_at_current_stop: number | null;
            opened_at: string;
            armed_at: components["schemas"]["InstantOrNull"];
            trailing_enabled: boolean;
            trailing_by_owner: boolean;
            trail_mode: ("percent" | "atr") | null;
            trail_callback_pct: number | null;
            trail_step_pct: number | null;
            trail_atr_mult: number | null;
            trail_atr_period: number | null;
            trail_activation_pct: number | null;
            strategy: {
                name: string;
                version: string;
                value: components["schemas"]["StoredStrategy"];
            } | null;
            exit_due_at: components["schemas"]["InstantOrNull"];
            exit_due_reason: ("TIME" | "SIGNAL") | null;
            trail_peak: number;
            closed_at: components["schemas"]["InstantOrNull"];
            close_price: number | null;
            close_reason: components["schemas"]["CloseReason"] | null;
            pnl: number | null;
            roi_pct: number | null;
            fees: number;
            funding: number;
            net_pnl: number | null;
            return_on_margin_pct: number | null;
            r_multiple: components["schemas"]["RiskMultiple"];
            live: components["schemas"]["Live"];
        };
        LuckBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            exchange?: components["schemas"]["ExchangeName"];
            interval?: components["schemas"]["IntervalName"];
            limit?: number;
            scored?: number;
            trials: number;
        };
        LuckResponse: {
            candles: number;
            trialCount: number;
            earlierTrials: number;
            luckSharpe: number;
            luckAnnualSharpe: number | null;
            detectableSharpe: number;
            detectableAnnualSharpe: number | null;
            words: string;
        };
        MarkPrices: {
            open: number[];
            high: number[];
            low: number[];
        };
        MeanInterval: {
            low: number;
            high: number;
        } | null;
        MeasuredResponse: {
            timestamp: string;
            market: "simulated" | "replay" | "live";
            symbols: {
                count: number;
                exchange: "binance" | "bybit" | "okx";
                at: string;
            } | null;
            latency: {
                windowMinutes: number;
                count: number;
                countMin: number;
                p50Ms: number | null;
                p95Ms: number | null;
            };
            pageLoads: {
                windowMinutes: number;
                count: number;
                countMin: number;
                p50Ms: number | null;
                p95Ms: number | null;
            };
            helpRatings: {
                count: number;
                countMin: number;
                helpfulFraction: number | null;
            };
            uptime: {
                fraction: number;
                upMinutes: number;
                minutes: number;
                from: string;
            } | null;
        };
        MinutesBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            interval: "5m" | "15m" | "1h" | "4h" | "1d";
            opens: number[];
            exchange?: components["schemas"]["ExchangeName"];
        };
        MinutesResponse: {
            symbol: string;
            exchange: components["schemas"]["ExchangeName"];
            market: "simulated" | "replay" | "live";
            data_age_ms: number;
            candles: {
                time: number[];
                open: number[];
                high: number[];
                low: number[];
                close: number[];
                volume: number[];
            };
        };
        NewsAnalysis: {
            count: number;
            bullish: number;
            bearish: number;
            neutral: number;
            high_impact: number;
            impact: "high" | "medium" | "low";
            keywords: {
                phrase: string;
                count: number;
                direction: "bullish" | "bearish" | "neutral";
            }[];
            symbols: {
                symbol: string;
                count: number;
                direction: "bullish" | "bearish" | "neutral";
            }[];
            keyword_version: number;
        };
        NewsFeedState: {
            name: string;
            is_simulated: boolean;
            state: "ok" | "down" | "waiting";
            message: string | null;
            date_note: string | null;
            last_read_at: string | null;
        };
        NewsMarketResponse: {
            rows: {
                symbol: string;
                story_count: number;
                bullish: number;
                bearish: number;
                last: number | null;
                change_24h: number | null;
            }[];
        };
        NewsMarksResponse: {
            marks: {
                id: string;
                title: string;
                source: string;
                first_seen_at: string;
                sentiment: "bullish" | "bearish" | "neutral";
                is_simulated: boolean;
            }[];
        };
        NewsReaction: {
            symbol: string;
            horizon_minutes: number;
            return: number;
            z: number;
            sample_count: number;
            p: number;
            volume_ratio: number;
        };
        NewsRecordRow: {
            name: string;
            count: number;
            hit_count: number;
            hit_share: number | null;
            mean_z: number | null;
            significant_share: number | null;
            is_below_min: boolean;
            weight: number;
        };
        NewsRecordsResponse: {
            min_count: number;
            min_checks: number;
            min_days: number;
            horizon_minutes: number;
            sources: components["schemas"]["NewsSourceRow"][];
            keywords: components["schemas"]["NewsRecordRow"][];
        };
        NewsResponse: {
            stories: components["schemas"]["NewsStory"][];
            unread_count: number;
            sources: string[];
            feeds: components["schemas"]["NewsFeedState"][];
            social: {
                is_connected: boolean;
                name: string | null;
                is_simulated: boolean;
                message: string | null;
            };
            analysis: components["schemas"]["NewsAnalysis"];
        };
        NewsSay: {
            vote: ("LONG" | "SHORT") | null;
            strength: number;
            story_count: number;
            stories: {
                id: string;
                title: string;
                source: string;
                pub_date: string;
                first_seen_at: string;
                sentiment: "bullish" | "bearish";
                is_high_impact: boolean;
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
            posts: {
                count: number;
                bullish: number;
                bearish: number;
                neutral: number;
            } | null;
            by_hour: {
                at: string;
                bullish: number;
                bearish: number;
            }[];
        };
        NewsSettings: {
            hidden_sources: string[];
            symbols: components["schemas"]["SymbolName"][];
            is_high_impact_only: boolean;
            shows_posts: boolean;
            shows_chart_marks: boolean;
        };
        NewsSourceRow: {
            name: string;
            count: number;
            hit_count: number;
            hit_share: number | null;
            mean_z: number | null;
            significant_share: number | null;
            is_below_min: boolean;
            weight: number;
            weight_origin: "live" | "replayed";
            replayed: {
                count: number;
                hit_count: number;
                hit_share: number | null;
                mean_z: number | null;
                significant_share: number | null;
                is_below_min: boolean;
                weight: number;
                day_count: number;
                delay_s_min: number;
                delay_s_max: number;
            } | null;
            times: {
                basis: "same_machine" | "checked" | "unchecked" | "untrusted";
                checked_count: number;
                in_time_count: number;
                delay_s: number | null;
            };
        };
        NewsStory: {
            id: string;
            created_at: string;
            title: string;
            link: string;
            pub_date: string;
            latest_at: string;
            first_seen_at: string;
            is_late: boolean;
            source: string;
            author: string | null;
            description: string;
            content: string;
            symbols: string[];
            keywords: string[];
            sentiment: "bullish" | "bearish" | "neutral";
            is_high_impact: boolean;
            is_simulated: boolean;
            sources: {
                source: string;
                title: string;
                link: string;
                first_seen_at: string;
            }[];
            reactions: components["schemas"]["NewsReaction"][];
        };
        NewsTrendingResponse: {
            hours: number;
            topics: {
                kind: "symbol" | "keyword";
                name: string;
                count: number;
                count_before: number;
            }[];
        };
        NotComparableReason: "changed_by_owner" | "filled_in_parts" | "too_long" | "no_candles" | "not_opened" | "not_computable";
        NotificationsResponse: {
            telegram: {
                name: string;
                is_on: boolean;
                kinds: ("scan_finished" | "credits_low" | "position_opened" | "position_closed" | "arbitrage_spread")[];
                off_reason: string | null;
                failing_since: components["schemas"]["InstantOrNull"];
            } | null;
            is_demo: boolean;
            telegram_available: boolean;
            webhook: {
                url: string;
                is_on: boolean;
                kinds: ("scan_finished" | "credits_low" | "position_opened" | "position_closed" | "arbitrage_spread")[];
                off_reason: string | null;
                failing_since: components["schemas"]["InstantOrNull"];
            } | null;
            practice_receiver: string | null;
        };
        OneArbitrageScanResponse: {
            scanId: string;
            items: components["schemas"]["ArbitrageItem"][];
            scan: components["schemas"]["ArbitrageScan"];
        };
        OpenBody: {
            symbol: components["schemas"]["SymbolName"];
            interval: components["schemas"]["IntervalName"];
            scan_id?: string;
            side?: components["schemas"]["Side"];
            stop_loss?: number;
            take_profit?: number;
            entry_price?: number;
            qty?: number;
            leverage?: components["schemas"]["Leverage"];
            liquidation_approx?: number | null;
            confidence?: number;
        };
        OpenedResponse: {
            id: string;
            message: string;
            position: components["schemas"]["Position"];
            warnings: components["schemas"]["Warning"][];
        };
        OptimizeOptions: {
            samples: number;
            target: components["schemas"]["OptimizeTarget"];
            seed: number;
            trainOn: "earlier" | "scored";
            refine: boolean;
            guide: boolean;
            space: components["schemas"]["Space"];
            rulesSpace?: components["schemas"]["RulesSpace"];
            walkForward?: components["schemas"]["WalkForward"];
        };
        OptimizeOptionsInput: {
            samples?: number;
            target?: components["schemas"]["OptimizeTarget"];
            seed?: number;
            trainOn?: "earlier" | "scored";
            refine?: boolean;
            guide?: boolean;
            space?: components["schemas"]["Space"];
            rulesSpace?: components["schemas"]["RulesSpace"];
            walkForward?: components["schemas"]["WalkForwardInput"];
        };
        OptimizeTarget: "pnl" | "winRate" | "sharpe" | "sortino" | "calmar" | "profitFactor" | "expectancy";
        OptimizedResponse: {
            best: components["schemas"]["BestRun"];
            target: components["schemas"]["OptimizeTarget"];
            seed: number;
            train: {
                start: number;
                end: number;
            };
            trialCount: number;
            leaders: {
                index: number;
                params: components["schemas"]["StrategyParams"];
                strategy?: components["schemas"]["StoredStrategy"];
                values?: {
                    [key: string]: number;
                };
                value: number;
            }[];
            walkForward?: components["schemas"]["WalkForwardResult"];
            minutes?: {
                candles: number;
                absent: number;
                beyond: number;
                problem: string | null;
                opens?: number[];
            };
            trialsHash: string;
            id: string;
            symbol: string | null;
            exchange: components["schemas"]["ExchangeName"] | null;
            interval: components["schemas"]["IntervalName"];
            first_candle_at: string;
            last_candle_at: string;
            gapCount: number;
            leftOut: string | null;
            contract: components["schemas"]["AppliedContract"] | null;
            fineDataProblem: string | null;
            honesty?: components["schemas"]["HonestyVerdict"];
        };
        Order: {
            id: string;
            symbol: string;
            exchange: components["schemas"]["ExchangeName"];
            market: "simulated" | "replay" | "live";
            interval: components["schemas"]["IntervalName"];
            side: components["schemas"]["Side"];
            type: components["schemas"]["OrderType"];
            status: components["schemas"]["OrderStatus"];
            reduce_only: boolean;
            quantity: number;
            price: number | null;
            leverage: number;
            stop_loss: number | null;
            take_profits: components["schemas"]["TargetShares"] | null;
            trailing: components["schemas"]["TrailingChange"] | null;
            expires_at: components["schemas"]["InstantOrNull"];
            reserved: number;
            created_at: string;
            revision: number;
            ended_at: components["schemas"]["InstantOrNull"];
            cancel_reason: components["schemas"]["CancelReason"] | null;
            message: string | null;
            fill: {
                price: number;
                quantity: number;
                fee: number;
                role: "maker" | "taker";
                at: string;
            } | null;
            position_id: string | null;
        };
        OrderBodyInput: {
            symbol: components["schemas"]["SymbolName"];
            side: components["schemas"]["Side"];
            type: components["schemas"]["OrderType"];
            quantity?: number;
            notional?: number;
            risk_fraction?: number;
            equity_fraction?: number;
            price?: number;
            leverage?: components["schemas"]["Leverage"];
            stop_loss?: number;
            take_profits?: components["schemas"]["Targets"];
            trailing?: components["schemas"]["TrailingChange"];
            interval?: components["schemas"]["IntervalName"];
            expires_at?: string | null;
            scan_id?: string;
            reduce_only?: boolean;
            expected_price?: number;
            tolerance_fraction?: number;
        };
        OrderChange: {
            price?: number;
            quantity?: number;
            stop_loss?: number;
            take_profits?: components["schemas"]["Targets"];
            trailing?: components["schemas"]["TrailingChange"];
            expires_at?: string | null;
            expected_revision?: number;
        };
        OrderPreview: {
            symbol: string;
            side: components["schemas"]["Side"];
            type: components["schemas"]["OrderType"];
            action: "open" | "add" | "reduce" | "close";
            rejected: components["schemas"]["OrderRejection"] | null;
            last_price: number;
            price_at: string;
            entry: number | null;
            role: "maker" | "taker";
            quantity: number;
            notional: number;
            leverage: number;
            margin: number;
            fee_in: number;
            fee_out_at_stop: number | null;
            stop_loss: number | null;
            loss_at_stop: number | null;
            loss_at_stop_pct: number | null;
            targets: {
                price: number;
                fraction: number;
                quantity: number;
                gain: number;
                r: number | null;
            }[];
            gain_at_targets: number | null;
            liquidation: number | null;
            liquidation_distance_pct: number | null;
            average_entry: number | null;
            position_quantity: number;
            funding_rate: number | null;
            funding_next: number | null;
            next_funding_at: components["schemas"]["InstantOrNull"];
            equity_free: number;
            equity_left: number;
            realised: number | null;
            costs_so_far: number | null;
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
        OrderStatus: "resting" | "filled" | "cancelled" | "expired";
        OrderType: "market" | "limit" | "stop";
        OrdersResponse: {
            orders: components["schemas"]["Order"][];
        };
        Origin: "live" | "replayed";
        OutcomeGroup: {
            count: number;
            mean_net_fraction: number | null;
            mean_interval: components["schemas"]["MeanInterval"];
            hit_rate: number | null;
            hit_rate_interval: components["schemas"]["RateInterval"];
        };
        OwnStrategy: {
            id: string;
            name: string;
            version: string;
            is_used: boolean;
            record: {
                origin: components["schemas"]["Origin"];
                signals: number;
                open: number;
                overdue: number;
                resolved: number;
                tp: number;
                sl: number;
                time: number;
                delisted: number;
                won: number;
                ambiguous: number;
                hit_rate: number | null;
                hit_rate_interval: components["schemas"]["RateInterval"];
                independent_count: number;
                mean_net_fraction: number | null;
                total_net_fraction: number | null;
                calibration: components["schemas"]["Calibration"];
                turned: number;
            };
            confidence: components["schemas"]["ConfidenceReport"];
        };
        PairBook: {
            exchange: components["schemas"]["ExchangeName"];
            contract: string;
            multiplier: number;
            bids: [
                number,
                number
            ][];
            asks: [
                number,
                number
            ][];
            atMs: number | null;
            receivedAtMs: number;
            takerFeeFraction: number;
            fundingRate: number | null;
            nextFundingAtMs: number | null;
            fundingIntervalHours: number | null;
            stepSize: number;
            minNotionalUsdt: number | null;
        };
        PairBooksResponse: {
            symbol: string;
            buy: components["schemas"]["PairBook"];
            sell: components["schemas"]["PairBook"];
            quantityStep: number;
            minNotionalUsdt: number;
            skewMs: number | null;
            isComparable: boolean;
            skewLimitMs: number;
        };
        PartState: "up" | "down" | "unknown";
        PatternRecordResponse: {
            origin: "replayed";
            symbol: string | null;
            interval: string;
            horizon_candles: number;
            needed: number;
            candle_count: number;
            first: components["schemas"]["InstantOrNull"];
            last: components["schemas"]["InstantOrNull"];
            symbols: string[];
            patterns: {
                id: string;
                title: string;
                direction: "bullish" | "bearish";
                count: number;
                right_count: number;
                right_low: number | null;
                right_high: number | null;
                base_share: number | null;
                edge: "better" | "worse" | "none" | "unknown";
            }[];
        };
        PerformanceResponse: {
            origin: components["schemas"]["Origin"];
            replay: components["schemas"]["Replay"] | null;
            market: "simulated" | "replay" | "live";
            confidence: components["schemas"]["ConfidenceReport"];
            engine: components["schemas"]["SignalRecord"];
            mine: components["schemas"]["SignalRecord"];
            ai_check: components["schemas"]["SignalRecord"] | null;
            ai_value: components["schemas"]["AiValue"][];
            tuning: components["schemas"]["TuningValue"] | null;
            votes: components["schemas"]["VoteRecord"][];
            strategies: components["schemas"]["OwnStrategy"][];
        };
        Persistence: {
            episodes: number;
            cutShort: number;
            medianLifetimeS: number | null;
            medianLifetimeLowS: number | null;
            medianLifetimeHighS: number | null;
            captured: {
                s1: components["schemas"]["EpisodeShare"];
                s5: components["schemas"]["EpisodeShare"];
                s30: components["schemas"]["EpisodeShare"];
            };
            leftPct: {
                s1: components["schemas"]["SpreadLeft"];
                s5: components["schemas"]["SpreadLeft"];
                s30: components["schemas"]["SpreadLeft"];
            };
        };
        PictureBytes: string;
        PictureForm: unknown;
        PortfolioAccount: {
            isAuto: boolean;
            equity: number;
            leverage: number;
            notional: number;
            sizing: "fixed" | "risk";
            riskFraction: number;
            limits: {
                positionsMax: number;
                openingsMax: number;
                dailyLossPct: number;
                stopStreak: number;
                cooldownMinutes: number;
                drawdownPct: number;
                grossMaxFraction: number;
                netMaxFraction: number;
                stopLossMaxFraction: number;
                skipsStopBeyondLiquidation: boolean;
            };
            notes: string[];
        };
        PortfolioLeftOut: {
            symbol: string;
            reason: "unknown" | "no_candles" | "too_few_candles" | "too_few_before_unseen" | "too_large" | "busy";
        }[];
        PortfolioSetResult: {
            index: number;
            set: components["schemas"]["SetLevels"];
            limits: {
                positionsMax?: number;
                openingsMax?: number;
            };
            train: components["schemas"]["PortfolioSummary"];
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
            turnover: number;
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
            id: string;
            symbol: string;
            side: components["schemas"]["Side"];
            interval: components["schemas"]["IntervalName"];
            exchange: components["schemas"]["ExchangeName"];
            market: "simulated" | "replay" | "live";
            source: "scan" | "vision" | "manual";
            scan_id: string | null;
            signal_id: string | null;
            entry_price: number;
            qty: number;
            entry_value: number;
            realised_pnl: number;
            leverage: number;
            notional: number;
            margin: number;
            stop_loss: number;
            initial_stop_loss: number;
            take_profit: number;
            take_profits: components["schemas"]["TargetShares"] | null;
            liquidation_approx: number | null;
            confidence: number;
            risk_multiplier: number;
            taker_fee_fraction: number;
            tick_size: number;
            loss_at_stop: number;
            loss_at_current_stop: number | null;
            opened_at: string;
            armed_at: components["schemas"]["InstantOrNull"];
            trailing_enabled: boolean;
            trailing_by_owner: boolean;
            trail_mode: ("percent" | "atr") | null;
            trail_callback_pct: number | null;
            trail_step_pct: number | null;
            trail_atr_mult: number | null;
            trail_atr_period: number | null;
            trail_activation_pct: number | null;
            strategy: {
                name: string;
                version: string;
                value: components["schemas"]["StoredStrategy"];
            } | null;
            exit_due_at: components["schemas"]["InstantOrNull"];
            exit_due_reason: ("TIME" | "SIGNAL") | null;
            trail_peak: number;
            closed_at: components["schemas"]["InstantOrNull"];
            close_price: number | null;
            close_reason: components["schemas"]["CloseReason"] | null;
            pnl: number | null;
            roi_pct: number | null;
            fees: number;
            funding: number;
            net_pnl: number | null;
            return_on_margin_pct: number | null;
            r_multiple: components["schemas"]["RiskMultiple"];
        };
        PositionEvent: {
            id: string;
            at: string;
            kind: "opened";
            data: {
                entry_price: number;
                qty: number;
                stop_loss: number;
                take_profit: number;
            } & {
                [key: string]: unknown;
            };
        } | {
            id: string;
            at: string;
            kind: "armed";
            data: {
                price: number;
            } & {
                [key: string]: unknown;
            };
        } | {
            id: string;
            at: string;
            kind: "trail_raised";
            data: {
                from: number;
                to: number;
                peak: number;
            } & {
                [key: string]: unknown;
            };
        } | {
            id: string;
            at: string;
            kind: "changed";
            data: {
                from: components["schemas"]["ChangedFields"];
                to: components["schemas"]["ChangedFields"];
                by: "owner";
            } & {
                [key: string]: unknown;
            };
        } | {
            id: string;
            at: string;
            kind: "added";
            data: {
                price: number;
                quantity: number;
                entry_price: number;
                qty: number;
                margin: number;
            } & {
                [key: string]: unknown;
            };
        } | {
            id: string;
            at: string;
            kind: "reduced";
            data: {
                price: number;
                quantity: number;
                pnl: number;
                qty: number;
                reason: components["schemas"]["CloseReason"];
            } & {
                [key: string]: unknown;
            };
        } | {
            id: string;
            at: string;
            kind: "exit_due";
            data: {
                reason: "TIME" | "SIGNAL";
            } & {
                [key: string]: unknown;
            };
        } | {
            id: string;
            at: string;
            kind: "funding";
            data: {
                amount: number;
                rate: number;
                mark: number;
            } & {
                [key: string]: unknown;
            };
        } | {
            id: string;
            at: string;
            kind: "fee";
            data: {
                amount: number;
                what: "entry" | "exit";
            } & {
                [key: string]: unknown;
            };
        } | {
            id: string;
            at: string;
            kind: "closed";
            data: {
                price: number;
                reason: components["schemas"]["CloseReason"];
                by: "tick" | "candle" | "owner" | "exchange";
            } & {
                [key: string]: unknown;
            };
        };
        PositionFill: {
            id: string;
            at: string;
            kind: "open" | "add" | "partial_close" | "close";
            role: "maker" | "taker";
            price: number;
            quantity: number;
            fee: number;
            pnl: number;
            reason: components["schemas"]["CloseReason"] | null;
            order_id: string | null;
            market_price: number | null;
            half_spread: number | null;
            slippage: number | null;
        };
        PositionReconciliation: {
            state: "open" | "pending" | "by_hand" | "compared" | "not_comparable";
            reason: components["schemas"]["NotComparableReason"] | null;
            comparison: {
                lab_net: number;
                live_net: number;
                difference: number;
                parts: components["schemas"]["ReconciliationPart"][];
                rest: number;
                lab: components["schemas"]["LabTrade"];
                funding_forecast: components["schemas"]["FundingForecast"];
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
            rows: components["schemas"]["PositioningRow"][];
            failures: string[];
        };
        PositioningResponse: {
            exchange: components["schemas"]["ExchangeName"];
            market: string;
            symbol: string;
            interval: components["schemas"]["IntervalName"];
            open_interest: {
                time: number[];
                quantity: number[];
            } | null;
            long_short: {
                time: number[];
                ratio: number[];
            } | null;
            failures: string[];
        };
        PositioningRow: {
            symbol: string;
            open_interest: number | null;
            open_interest_usdt: number | null;
            open_interest_at: components["schemas"]["InstantOrNull"];
            long_short_ratio: number | null;
            long_short_at: components["schemas"]["InstantOrNull"];
            funding_rate: number | null;
            next_funding_at: components["schemas"]["InstantOrNull"];
        };
        PositionsResponse: {
            positions: components["schemas"]["LivePosition"][];
            server_time: string;
        };
        PreferencesResponse: {
            active_tab: "dashboard" | "signals" | "auto" | "backtest" | "arb" | "profile" | "funds" | "news" | "help" | "vision" | "settings" | "payments" | "api-manager" | "api-docs" | "account";
            current_page: string | null;
            auto_scan_enabled: boolean;
            keep_scanning: boolean;
            ai_soft_approval: boolean;
            ai_allow_correction: boolean;
            min_auto_conf_pct: number;
            min_conf_on_score: boolean;
            positions_wanted: number;
            balance_usdt: components["schemas"]["Balance"];
            leverage: number;
            risk_tolerance: "low" | "medium" | "high";
            sizing_mode: "risk" | "fixed";
            base_usdt: number | null;
            levels_mode: "signal" | "own";
            whitelist: string;
            blacklist: string;
            max_symbols: number;
            interval_opts: {
                "15m": boolean;
                "1h": boolean;
                "4h": boolean;
            };
            scan_interval: "15m" | "1h" | "4h";
            dynamic_risk_on: boolean;
            risk_min_pct: number;
            risk_max_pct: number;
            risk_smoothing: number;
            risk_perf_lookback: number;
            stop_loss_pct: number;
            take_profit_pct: number;
            max_concurrent_positions: number;
            trailing_enabled: boolean;
            trail_mode: "percent" | "atr";
            trail_callback_pct: number;
            trail_step_pct: number;
            trail_atr_mult: number;
            trail_atr_period: number;
            trail_activation_stops: number;
            tuning_conf_floor: number | null;
            theme: ("dark" | "light") | null;
            palette: ("green-red" | "blue-orange") | null;
            time_zone: ("local" | "utc") | null;
            auto_open_enabled: boolean;
            auto_open_noticed: boolean;
            guard_daily_loss_pct: number | null;
            guard_stop_streak: number | null;
            guard_cooldown_minutes: number;
            guard_drawdown_pct: number | null;
            guard_stops_pct: number | null;
            guard_exposure_pct: number | null;
            telegram: string | null;
            webhook: string | null;
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
            entry_price: number | null;
            price_at: components["schemas"]["InstantOrNull"];
            qty: number;
            leverage: number;
            leverage_asked: number;
            risk_multiplier: number;
            notional: number;
            margin: number;
            stop_loss: number | null;
            take_profit: number | null;
            liquidation_approx: number | null;
            loss_at_stop: number | null;
            loss_at_stop_pct: number | null;
            risk_pct: number;
            gain_at_target: number | null;
            fee_entry: number;
            fee_exit_at_stop: number | null;
            funding_rate: number | null;
            next_funding_at: components["schemas"]["InstantOrNull"];
            warnings: components["schemas"]["Warning"][];
        };
        PreviewResponse: {
            preview: components["schemas"]["Preview"];
        };
        PriceBatchResponse: {
            exchange: components["schemas"]["ExchangeName"];
            market: "simulated" | "replay" | "live";
            data_age_ms: number;
            prices: {
                symbol: string;
                price: number;
                bid: number | null;
                ask: number | null;
                mark: number | null;
                at: string;
            }[];
            missing: {
                symbol: string;
                why: "not_traded" | "halted" | "no_price";
            }[];
        };
        PriceResponse: {
            symbol: string;
            price: number;
            bid: number | null;
            ask: number | null;
            mark: number | null;
            at: string;
            exchange: components["schemas"]["ExchangeName"];
            market: "simulated" | "replay" | "live";
            data_age_ms: number;
        };
        ProfileResponse: {
            display_name: string;
            username: string | null;
            bio: string | null;
            avatar_url: string | null;
            cover_url: string | null;
            created_at: string;
        };
        Range: {
            min: number;
            max: number;
        };
        RankingResponse: {
            days: number;
            positions_min: number;
            rows: {
                rank: number;
                username: string;
                positions: number;
                winners: number;
                net_pnl: number;
                return_on_margin_pct: number;
                is_you: boolean;
                is_followed: boolean;
                can_follow: boolean;
            }[];
        };
        RateInterval: {
            low: number;
            high: number;
        } | null;
        ReconciliationCause: "revision" | "entry" | "slippage" | "mark" | "exit" | "size" | "fees" | "funding";
        ReconciliationPart: {
            cause: components["schemas"]["ReconciliationCause"];
            amount: number;
        };
        ReconciliationResponse: {
            all: components["schemas"]["ReconciliationTotals"];
            by_strategy: components["schemas"]["ReconciliationTotals"][];
            not_comparable: {
                reason: components["schemas"]["NotComparableReason"];
                count: number;
            }[];
            unexplained: number;
        };
        ReconciliationTotals: {
            name: string;
            count: number;
            lab_net: number;
            live_net: number;
            difference: number;
            parts: components["schemas"]["ReconciliationPart"][];
            rest: number;
        };
        RenewedResponse: {
            secret: string;
            previous_until: string;
        };
        Replay: {
            origin: components["schemas"]["Origin"];
            as_of: string;
            strategy_version: string;
            engine_hash: string;
            symbols: number;
            series: number;
            series_wanted: number;
            survivor_bias: {
                ended_symbols: number;
                net_pct: number | null;
                reason: string | null;
            };
            groups: {
                by: "interval" | "direction" | "hour";
                key: string;
                count: number;
                independent_count: number;
                hit_rate: number | null;
                hit_rate_interval: components["schemas"]["RateInterval"];
                mean_net_pct: number | null;
                net_low_pct: number | null;
                net_high_pct: number | null;
            }[];
        };
        ReplayedResponse: {
            origin: "replayed";
            symbol: string;
            interval: string;
            total: number;
            open: number;
            signals: {
                candle_close_at: string;
                direction: "LONG" | "SHORT";
                raw_confidence: number;
                price: number;
                stop_loss: number;
                take_profit: number;
                horizon_min: number;
                outcome: "TP" | "SL" | "TIME" | "DELISTED";
                exit_at: string;
                net_fraction: number;
                is_ambiguous: boolean;
            }[];
        };
        ReverseBody: {
            stop_loss?: number;
            take_profit?: number;
        };
        ReversedResponse: {
            closed: components["schemas"]["Position"];
            opened: components["schemas"]["Position"];
        };
        RiskMultiple: number | null;
        RiskTolerance: "low" | "medium" | "high";
        RuleValues: {
            [key: string]: number;
        };
        RulesSpace: {
            draw?: "mixed" | "dense";
            weight?: components["schemas"]["Range"];
            weights?: {
                [key: string]: components["schemas"]["Range"];
            };
            entryThreshold?: components["schemas"]["Range"];
            stop?: components["schemas"]["Range"];
            target?: components["schemas"]["Range"];
            trailing?: "off" | "on" | "either";
            trailingDistance?: components["schemas"]["Range"];
        };
        RulesText: string;
        RunBacktestBodyInput: {
            symbol?: components["schemas"]["SymbolName"];
            exchange?: components["schemas"]["ExchangeName"];
            interval?: components["schemas"]["IntervalName"];
            limit?: number;
            isExact?: boolean;
            endTime?: number;
            candles?: {
                time: number[];
                open: number[];
                high: number[];
                low: number[];
                close: number[];
                volume: number[];
            };
            params?: components["schemas"]["StrategyParamsInput"];
            strategy?: components["schemas"]["StrategyInput"];
            rules?: components["schemas"]["RulesText"];
            context?: {
                time: number[];
                open: number[];
                high: number[];
                low: number[];
                close: number[];
                volume: number[];
            }[];
            fineData?: boolean;
            markPrices?: components["schemas"]["MarkPrices"];
            fineCandles?: {
                time: number[];
                open: number[];
                high: number[];
                low: number[];
                close: number[];
                volume: number[];
            };
            minutesOf?: components["schemas"]["SymbolName"];
            costs?: components["schemas"]["RunCostsInput"];
            rulesOf?: "none" | components["schemas"]["SymbolName"];
            scored?: number;
            optimize?: components["schemas"]["OptimizeOptionsInput"];
            honesty?: boolean;
            earlierTrials?: number;
            name?: components["schemas"]["RunName"];
            isRange?: boolean;
            label?: string;
        };
        RunBacktestResponse: components["schemas"]["OptimizedResponse"] | components["schemas"]["RunResponse"];
        RunCostsInput: {
            takerFeeFraction?: number;
            makerFeeFraction?: number;
            slippageFraction?: number;
            stopSlippageFraction?: number;
            initialEquity?: number;
            notional?: number;
            leverage?: number;
            maintenanceMarginFraction?: number;
            assumedFundingFraction?: number;
            takeProfitOrder?: "market" | "limit";
            funding?: components["schemas"]["Funding"];
            fundingSource?: "history" | "assumed" | "off";
            sameBar?: "stop" | "target";
            liquidationModel?: "binance" | "bybit" | "okx";
            tiers?: components["schemas"]["LeverageTierInput"][];
            tickSize?: number;
            stepSize?: number;
            minNotional?: number;
            maxQuantity?: number;
            impactCoefficient?: number;
            turnoverShareMax?: number;
            rulesOf?: {
                exchange: "binance" | "bybit" | "okx";
                symbol: string;
                leverageAsked?: number;
                areTiersAssumed?: boolean;
            };
        };
        RunName: string;
        RunPortfolioBodyInput: {
            symbols?: components["schemas"]["SymbolName"][];
            exchange?: components["schemas"]["ExchangeName"];
            interval?: components["schemas"]["IntervalName"];
            limit?: number;
            endTime?: number;
            strategy?: components["schemas"]["StrategyInput"];
            rules?: components["schemas"]["RulesText"];
            set?: components["schemas"]["SetLevels"];
            costs?: {
                takerFeeFraction?: number;
                makerFeeFraction?: number;
                slippageFraction?: number;
                stopSlippageFraction?: number;
                initialEquity?: number;
                notional?: number;
                leverage?: number;
                maintenanceMarginFraction?: number;
                assumedFundingFraction?: number;
                takeProfitOrder?: "market" | "limit";
                fundingSource?: "history" | "assumed" | "off";
                sameBar?: "stop" | "target";
                impactCoefficient?: number;
                turnoverShareMax?: number;
            };
            limits?: {
                positionsMax?: number;
                openingsMax?: number;
                dailyLossPct?: number;
                stopStreak?: number;
                cooldownMinutes?: number;
                drawdownPct?: number;
                grossMaxFraction?: number;
                netMaxFraction?: number;
                stopLossMaxFraction?: number;
                skipsStopBeyondLiquidation?: boolean;
            };
            asAuto?: boolean;
            honesty?: boolean;
            earlierTrials?: number;
        };
        RunPortfolioResponse: {
            exchange: components["schemas"]["ExchangeName"];
            interval: components["schemas"]["IntervalName"];
            strategy: components["schemas"]["StoredStrategy"];
            strategy_name: string | null;
            account: components["schemas"]["PortfolioAccount"];
            summary: components["schemas"]["PortfolioSummary"];
            capacity: {
                notional: number;
                symbol: string;
            } | null;
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
                listed_at: components["schemas"]["InstantOrNull"];
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
            trades: {
                side: "LONG" | "SHORT";
                entryIndex: number;
                exitIndex: number;
                entryTimeMs: number;
                exitTimeMs: number;
                entryPrice: number;
                exitPrice: number;
                quantity: number;
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
            funding_missing: string[];
            tiers_unknown: string[];
            survivors_only: boolean;
            survivors_text: string;
            universe_day: string | null;
            survivor_bias: {
                return_fraction: number | null;
                reason: string | null;
            };
            honesty: components["schemas"]["HonestyVerdict"] | null;
            hashes: components["schemas"]["Hashes"];
        };
        RunResponse: {
            pnl: number;
            trades: number;
            maxDrawdown: number;
            bestParams: components["schemas"]["StrategyParams"];
            netPnl: number;
            pessimisticNetPnl: number;
            optimisticNetPnl: number;
            winRate: number | null;
            tradeCount: number;
            maxDrawdownFraction: number;
            sharpe: components["schemas"]["Statistic"];
            sortino: components["schemas"]["Statistic"];
            profitFactor: number | null;
            expectancy: number | null;
            exposureFraction: number;
            fees: number;
            ambiguousFraction: number;
            buyAndHoldFraction: number;
            grossPnl: number;
            slippage: number;
            funding: number;
            ruinIndex: number | null;
            gapCount: number;
            missingCandleCount: number;
            loadedCount: number;
            scoredCount: number;
            longCount: number;
            shortCount: number;
            stopBeyondLiquidationCount: number;
            isFundingKnown: boolean;
            droppedSignalCount: number;
            skippedSignalCount: number;
            liquidationCount: number;
            forcedCloseCount: number;
            droppedSignals: {
                noVolume: number;
                tooSmall: number;
                marginShort: number;
            };
            dayCount: number;
            annualReturnFraction: number | null;
            marketChangeFraction: number;
            alphaFraction: number | null;
            beta: number | null;
            bestDayFraction: number | null;
            worstDayFraction: number | null;
            wonDayCount: number | null;
            flatDayCount: number | null;
            lostDayCount: number | null;
            calmar: number | null;
            omega: number | null;
            maxDrawdownUsdt: number;
            intrabarDrawdownFraction: number;
            longestUnderwaterCandles: number;
            underwaterFraction: number;
            sqn: number | null;
            meanPValue: number | null;
            kellyFraction: number | null;
            winRateLong: number | null;
            winRateShort: number | null;
            averageWin: number | null;
            averageLoss: number | null;
            payoffRatio: number | null;
            expectancyRatio: number | null;
            bestTrade: number | null;
            worstTrade: number | null;
            winsInARow: number;
            lossesInARow: number;
            candlesHeldByWinners: number | null;
            candlesHeldByLosers: number | null;
            turnoverShareLargest: number | null;
            turnoverShareMedian: number | null;
            largeFillTradeCount: number;
            limitedEntryCount: number;
            largestOrders: number;
            sizesCut: {
                count: number;
                fromMs: number;
            } | null;
            tradeList: components["schemas"]["Trade"][];
            equity: number[];
            score: (number | null)[];
            hashes: {
                engine: string;
                data: string;
                params: string;
                result: string;
            };
            id: string;
            symbol: string | null;
            exchange: components["schemas"]["ExchangeName"] | null;
            interval: components["schemas"]["IntervalName"];
            first_candle_at: string;
            last_candle_at: string;
            leftOut: string | null;
            contract: components["schemas"]["AppliedContract"] | null;
            fineDataProblem: string | null;
            honesty?: components["schemas"]["HonestyVerdict"];
            revisions: components["schemas"]["HistoryRevision"][];
            strategy?: components["schemas"]["StoredStrategy"];
        };
        SandboxClockRequestInput: {
            restart?: boolean;
            buy_plan?: "STARTER" | "PRO" | "BUSINESS";
            invoice?: components["schemas"]["SandboxInvoiceRequestInput"];
            advance_minutes?: number;
            webhook_url?: string;
        };
        SandboxClockResponse: {
            now: string;
            starts_at: string;
            ends_at: string;
            plan: {
                name: string;
                expires_at: components["schemas"]["InstantOrNull"];
            };
            invoices: components["schemas"]["SandboxInvoice"][];
        };
        SandboxDelivery: {
            delivered: number;
            failure: string | null;
        };
        SandboxInvoice: {
            payment_id: string;
            credits: number;
            status: "PENDING" | "COMPLETED" | "EXPIRED";
            created_at: string;
            expires_at: string;
        };
        SandboxInvoiceRequestInput: {
            credits: number;
            paid_after_minutes?: number | null;
        };
        SandboxMessage: {
            id: string;
            event: string;
            body: string;
        };
        SandboxMoveResponse: {
            now: string;
            starts_at: string;
            ends_at: string;
            plan: {
                name: string;
                expires_at: components["schemas"]["InstantOrNull"];
            };
            invoices: components["schemas"]["SandboxInvoice"][];
            messages: components["schemas"]["SandboxMessage"][];
            delivery: components["schemas"]["SandboxDelivery"] | null;
        };
        SavedRun: {
            id: string;
            name: string;
            created_at: string;
            symbol: string;
            interval: string;
            params: components["schemas"]["StrategyParams"];
            setup: components["schemas"]["BacktestSetup"];
            best: {
                [key: string]: number | string | boolean | null;
            };
            strategy: components["schemas"]["StoredStrategy"] | null;
            equity: number[];
            hashes: components["schemas"]["Hashes"];
        };
        SavedRunsResponse: {
            runs: components["schemas"]["SavedRun"][];
        };
        Scan: {
            scan_id: string;
            status: components["schemas"]["ScanStatus"];
            created_at: string;
            finished_at: components["schemas"]["InstantOrNull"];
            params: components["schemas"]["ScanParams"];
            results: components["schemas"]["ScanResults"] | null;
            failure: string | null;
        };
        ScanBodyInput: {
            symbols?: components["schemas"]["SymbolName"][];
            intervals?: ("15m" | "1h" | "4h")[];
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
            sizing?: {
                mode: "risk" | "fixed";
                riskFraction: number;
                baseUsdt: number;
                freeUsdt: number;
                ownStopPct: number | null;
            };
            tuning: components["schemas"]["Tuning"];
            strategy?: {
                id?: string;
                name: string;
                version: string;
                value: components["schemas"]["StoredStrategy"];
            };
            confidenceFloor: number | null;
            minConfidencePct: number;
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
            best: components["schemas"]["ScanSignal"] | null;
            all: components["schemas"]["ScanSignal"][];
            total: number;
            outcomes: {
                [key: string]: number;
            };
            data_age_ms: number;
            missing: string[];
            confidence: components["schemas"]["ConfidenceBasis"][];
            timing: {
                candles_ms: number;
                engine_ms: number;
                total_ms: number;
            };
            to_check: string[];
            is_complete: boolean;
        };
        ScanSignal: {
            symbol: string;
            interval: string;
            exchange: components["schemas"]["ExchangeName"];
            direction: "LONG" | "SHORT" | "NEUTRAL";
            confidence: number;
            confidence_kind: components["schemas"]["ConfidenceKind"];
            raw_confidence: number;
            calibration_version: number | null;
            break_even: number | null;
            expected_net_fraction: number | null;
            expected_net_usdt: number | null;
            chance: number | null;
            chance_n: number | null;
            chance_origin: ("live" | "replayed" | "mixed") | null;
            expected_net_pct: number | null;
            score: number;
            price: number;
            stopLoss: number | null;
            takeProfit: number | null;
            riskLabel: "LOW" | "STANDARD" | "HIGH" | "EXTREME";
            horizon_min: number | null;
            position: components["schemas"]["SignalPosition"];
            meta: {
                rsi: number | null;
                macd: number | null;
                atr: number | null;
            };
            ai_state: "online" | "approved" | "rejected" | "offline";
            rule_check: ("not_run" | "passed" | "not_passed") | null;
            aiApproved: boolean | null;
            aiRationale: string | null;
            aiProposal: components["schemas"]["AiProposal"] | null;
            suggestedRiskMultiplier: number | null;
            live_votes: number;
            effective_votes: number;
            contributions: {
                vote: string;
                interval: string;
                opinion: number;
                is_live: boolean;
                contribution: number;
            }[];
            news?: components["schemas"]["NewsSay"];
            timeframes: {
                interval: string;
                weight: number;
                score: number | null;
            }[];
            candle_close_at: string;
            computed_at: string;
            hashes: components["schemas"]["SignalHashes"];
            signal_id: string;
            outcome: "ELIGIBLE" | "NEUTRAL" | "LOW_CONF" | "ZERO_QTY" | "NO_MATCH";
            filtered_by: string | null;
            verdict: {
                state: "opened" | "may_open" | "check_due" | "waiting" | "refused";
                reason: string | null;
                text: string;
            };
        };
        ScanStarted: {
            scan_id: string;
            status: components["schemas"]["ScanStatus"];
            credits: number;
        };
        ScanStatus: "queued" | "running" | "done" | "failed" | "cancelled";
        Search: {
            search_id: string;
            status: components["schemas"]["SearchStatus"];
            created_at: string;
            elapsed_ms: number | null;
            finished_at: components["schemas"]["InstantOrNull"];
            symbol: string;
            label: string | null;
            interval: string;
            kind: "classic" | "rules";
            samples: number;
            done: number;
            stage: "looking" | "loading" | "searching";
            minute_candles: number | null;
            failure: string | null;
            request: components["schemas"]["SearchRequest"] | null;
            result: components["schemas"]["SearchResult"] | null;
        };
        SearchPortfolioBodyInput: {
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
            samples?: number;
            seed?: number;
            target?: "pnl" | "sharpe" | "sortino" | "profitFactor";
            run: components["schemas"]["RunPortfolioBodyInput"];
            progressId?: string;
        };
        SearchPortfolioResponse: {
            exchange: components["schemas"]["ExchangeName"];
            interval: components["schemas"]["IntervalName"];
            strategy_name: string | null;
            equity: number;
            train: {
                from: number;
                to: number;
                candles: number;
            };
            unseen: {
                from: number;
                to: number;
                candles: number;
            };
            samples: number;
            seed: number;
            target: "pnl" | "sharpe" | "sortino" | "profitFactor";
            ranked: number;
            best: components["schemas"]["PortfolioSetResult"] | null;
            own: components["schemas"]["PortfolioSetResult"];
            leaders: components["schemas"]["PortfolioSetResult"][];
            honesty: components["schemas"]["HonestyVerdict"] | null;
            left_out: components["schemas"]["PortfolioLeftOut"];
        };
        SearchRequest: {
            params: components["schemas"]["StrategyParams"];
            strategy?: components["schemas"]["StoredStrategy"];
            optimize: components["schemas"]["OptimizeOptions"];
            setup: components["schemas"]["BacktestSetup"];
            markPricesProblem?: string;
        };
        SearchResponse: {
            search: components["schemas"]["Search"];
        };
        SearchResult: {
            best: components["schemas"]["BestRun"];
            target: components["schemas"]["OptimizeTarget"];
            seed: number;
            train: {
                start: number;
                end: number;
            };
            trialCount: number;
            leaders: {
                index: number;
                params: components["schemas"]["StrategyParams"];
                strategy?: components["schemas"]["StoredStrategy"];
                values?: {
                    [key: string]: number;
                };
                value: number;
            }[];
            walkForward?: components["schemas"]["WalkForwardResult"];
            minutes?: {
                candles: number;
                absent: number;
                beyond: number;
                problem: string | null;
                opens?: number[];
            };
            trialsHash: string;
        };
        SearchStatus: "queued" | "running" | "done" | "failed" | "cancelled";
        SearchesResponse: {
            searches: {
                search_id: string;
                status: components["schemas"]["SearchStatus"];
                created_at: string;
                elapsed_ms: number | null;
                finished_at: components["schemas"]["InstantOrNull"];
                symbol: string;
                label: string | null;
                interval: string;
                kind: "classic" | "rules";
                samples: number;
                done: number;
                stage: "looking" | "loading" | "searching";
                minute_candles: number | null;
                failure: string | null;
            }[];
        };
        SecretResponse: {
            secret: string | null;
        };
        SetLevels: {
            entryThreshold?: number;
            stop?: {
                mode: "percent";
                fraction: number;
            } | {
                mode: "atr";
                multiple: number;
            };
            target?: {
                mode: "percent";
                fraction: number;
            } | {
                mode: "atr";
                multiple: number;
            };
            values?: components["schemas"]["RuleValues"];
        };
        Side: "LONG" | "SHORT";
        SignalHashes: {
            engine: string;
            data: string;
            params: string;
        };
        SignalPosition: {
            sizeUsdt: number;
            sizeBase: number;
            leverage: number;
            qty: number;
            liquidationApprox: number | null;
            loss_at_stop: number | null;
            risk_multiplier: number;
            refused_by: ("quantity" | "min_notional" | "min_above_risk" | "margin_full") | null;
            message: string | null;
            limits: {
                tick_size: number;
                step_size: number;
                min_notional: number;
                max_quantity?: number;
                max_leverage: number | null;
            };
        };
        SignalRecord: {
            origin: components["schemas"]["Origin"];
            signals: number;
            open: number;
            overdue: number;
            resolved: number;
            tp: number;
            sl: number;
            time: number;
            delisted: number;
            won: number;
            ambiguous: number;
            hit_rate: number | null;
            hit_rate_interval: components["schemas"]["RateInterval"];
            independent_count: number;
            mean_net_fraction: number | null;
            total_net_fraction: number | null;
            calibration: components["schemas"]["Calibration"];
        };
        SignalResponse: {
            symbol: string;
            interval: string;
            exchange: components["schemas"]["ExchangeName"];
            direction: "LONG" | "SHORT" | "NEUTRAL";
            confidence: number;
            confidence_kind: components["schemas"]["ConfidenceKind"];
            raw_confidence: number;
            calibration_version: number | null;
            break_even: number | null;
            expected_net_fraction: number | null;
            expected_net_usdt: number | null;
            chance: number | null;
            chance_n: number | null;
            chance_origin: ("live" | "replayed" | "mixed") | null;
            expected_net_pct: number | null;
            score: number;
            price: number;
            stopLoss: number | null;
            takeProfit: number | null;
            riskLabel: "LOW" | "STANDARD" | "HIGH" | "EXTREME";
            horizon_min: number | null;
            position: components["schemas"]["SignalPosition"];
            meta: {
                rsi: number | null;
                macd: number | null;
                atr: number | null;
            };
            ai_state: "online" | "approved" | "rejected" | "offline";
            rule_check: ("not_run" | "passed" | "not_passed") | null;
            aiApproved: boolean | null;
            aiRationale: string | null;
            aiProposal: components["schemas"]["AiProposal"] | null;
            suggestedRiskMultiplier: number | null;
            live_votes: number;
            effective_votes: number;
            contributions: {
                vote: string;
                interval: string;
                opinion: number;
                is_live: boolean;
                contribution: number;
            }[];
            news?: components["schemas"]["NewsSay"];
            timeframes: {
                interval: string;
                weight: number;
                score: number | null;
            }[];
            candle_close_at: string;
            computed_at: string;
            hashes: components["schemas"]["SignalHashes"];
            market: "simulated" | "replay" | "live";
            data_age_ms: number;
        };
        SizedSpread: {
            notionalUsdt: number;
            quantity: number;
            isFilled: boolean;
            buyPrice: number;
            sellPrice: number;
            buyWorstPrice: number;
            sellWorstPrice: number;
            buySlippagePct: number;
            sellSlippagePct: number;
            worstLeg: "buy" | "sell" | "none";
            grossPct: number;
            grossUsdt: number;
            feesInUsdt: number;
            feesOutUsdt: number;
            fundingUsdt: number;
            netPct: number;
            netUsdt: number;
            breakEvenHours: number | null;
        };
        SizingGuardState: {
            name: "stops" | "exposure";
            is_on: boolean;
            limit: number | null;
            value: number | null;
        };
        SkipDetail: "min_confidence" | "tuning_floor" | "quantity" | "min_notional" | "min_above_risk" | "margin_full" | "no_levels" | "price_moved" | "level_passed" | "liquidation_before_stop" | "ai_unchecked" | "ai_offline" | "ai_not_approved" | "rule_check_not_passed" | "blacklisted" | "not_whitelisted" | "same_symbol" | "positions_wanted" | "duplicate" | "max_concurrent" | "daily_loss_guard" | "stop_streak_guard" | "drawdown_guard" | "auto_open_off" | "not_traded" | "too_large" | "largest_order";
        SkipReason: "NEUTRAL" | "LOW_CONF" | "ZERO_QTY" | "NO_MATCH";
        SkipsResponse: {
            skips: {
                id: string;
                at: string;
                symbol: string;
                interval: string;
                side: components["schemas"]["Side"] | null;
                confidence: number | null;
                reason: components["schemas"]["SkipReason"];
                detail: components["schemas"]["SkipDetail"] | null;
                scan_id: string | null;
                message: string;
            }[];
        };
        Space: {
            draw?: "mixed" | "dense";
            weight?: components["schemas"]["Range"];
            weights?: {
                [key: string]: components["schemas"]["Range"];
            };
            entryThreshold?: components["schemas"]["Range"];
            slPct?: components["schemas"]["Range"];
            tpPct?: components["schemas"]["Range"];
            trailing?: "off" | "on" | "either";
            callbackPct?: components["schemas"]["Range"];
            stepPct?: components["schemas"]["Range"];
        };
        SpreadBadge: "high" | "medium" | "low";
        SpreadHistoryResponse: {
            stepMs: number;
            points: {
                atMs: number;
                grossPct: number | null;
            }[];
            fromMs: number;
            toMs: number;
        };
        SpreadLeft: {
            mean: number | null;
            low: number | null;
            high: number | null;
        };
        SpreadPersistenceResponse: {
            verdict: "not_enough" | "no_edge" | "edge";
            episodesNeeded: number;
            missing: string | null;
            thresholdPct: number;
            sampledSeconds: number;
            sinceMs: number | null;
            days: number;
            notStored: number;
            overall: components["schemas"]["Persistence"];
            bySymbol: {
                symbol: string;
                episodes: number;
                cutShort: number;
                medianLifetimeS: number | null;
                medianLifetimeLowS: number | null;
                medianLifetimeHighS: number | null;
                captured: {
                    s1: components["schemas"]["EpisodeShare"];
                    s5: components["schemas"]["EpisodeShare"];
                    s30: components["schemas"]["EpisodeShare"];
                };
                leftPct: {
                    s1: components["schemas"]["SpreadLeft"];
                    s5: components["schemas"]["SpreadLeft"];
                    s30: components["schemas"]["SpreadLeft"];
                };
            }[];
            byPair: {
                buy: components["schemas"]["ExchangeName"];
                sell: components["schemas"]["ExchangeName"];
                episodes: number;
                cutShort: number;
                medianLifetimeS: number | null;
                medianLifetimeLowS: number | null;
                medianLifetimeHighS: number | null;
                captured: {
                    s1: components["schemas"]["EpisodeShare"];
                    s5: components["schemas"]["EpisodeShare"];
                    s30: components["schemas"]["EpisodeShare"];
                };
                leftPct: {
                    s1: components["schemas"]["SpreadLeft"];
                    s5: components["schemas"]["SpreadLeft"];
                    s30: components["schemas"]["SpreadLeft"];
                };
            }[];
            byHour: {
                hour: number;
                episodes: number;
                cutShort: number;
                medianLifetimeS: number | null;
                medianLifetimeLowS: number | null;
                medianLifetimeHighS: number | null;
                captured: {
                    s1: components["schemas"]["EpisodeShare"];
                    s5: components["schemas"]["EpisodeShare"];
                    s30: components["schemas"]["EpisodeShare"];
                };
                leftPct: {
                    s1: components["schemas"]["SpreadLeft"];
                    s5: components["schemas"]["SpreadLeft"];
                    s30: components["schemas"]["SpreadLeft"];
                };
            }[];
        };
        Statistic: {
            value: number | null;
            count: number;
            standardError?: number;
            reason?: string;
        };
        StatusBackfill: {
            exchange: "binance" | "bybit" | "okx";
            state: "running" | "waiting" | "complete" | "failed";
            stored_parts: number;
            total_parts: number;
            failed_parts: number;
            code: string | null;
            updated_at: string;
        };
        StatusDay: {
            date: string;
            up_minutes: number;
            minutes: number;
        };
        StatusIncident: {
            part: "signals" | "database" | "binance" | "bybit" | "okx" | "mail" | "coins" | "cards" | "ai" | "feeds" | "telegram" | "storage" | "service";
            from: string;
            to: string | null;
            minutes: number;
            code: string | null;
        };
        StatusPart: {
            part: "signals" | "database" | "binance" | "bybit" | "okx" | "mail" | "coins" | "cards" | "ai" | "feeds" | "telegram" | "storage";
            state: components["schemas"]["PartState"];
            checked_at: string | null;
            duration_ms: number | null;
            uptime: components["schemas"]["StatusUptime"];
            days: components["schemas"]["StatusDay"][];
        };
        StatusResponse: {
            timestamp: string;
            market: "simulated" | "replay" | "live";
            state: "operational" | "disrupted" | "unknown";
            since: string | null;
            parts: components["schemas"]["StatusPart"][];
            incidents: components["schemas"]["StatusIncident"][];
            history: components["schemas"]["StatusBackfill"][];
        };
        StatusUptime: {
            days: number;
            fraction: number;
            up_minutes: number;
            minutes: number;
        } | null;
        StoredCandlesBytes: string;
        StoredDrawing: {
            id: string;
            kind: "horizontal" | "trend" | "ray" | "rectangle" | "fibonacci" | "measure" | "text" | "long" | "short";
            anchors: components["schemas"]["DrawingAnchor"][];
            text: string;
            is_locked: boolean;
            is_hidden: boolean;
        };
        StoredHistoryResponse: {
            symbol: string;
            exchange: components["schemas"]["ExchangeName"];
            source: string;
            listed_at: components["schemas"]["InstantOrNull"];
            ended_at: components["schemas"]["InstantOrNull"];
            predecessor: {
                symbol: string;
                source: string;
            } | null;
            successor: {
                symbol: string;
                source: string;
            } | null;
            series: components["schemas"]["StoredHistorySeries"][];
            revisions: components["schemas"]["HistoryRevision"][];
            fundings: {
                count: number;
                first: components["schemas"]["InstantOrNull"];
                last: components["schemas"]["InstantOrNull"];
                interval_hours: number[];
            };
            broken_chunks: number;
            backfill: {
                state: "running" | "waiting" | "complete" | "failed";
                stored_parts: number;
                total_parts: number;
                error: {
                    code: string;
                    message: string;
                    at: string;
                } | null;
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
            gaps: {
                from: string;
                to: string;
                cause: "not_stored" | "not_sent";
            }[];
            revision_count: number;
            complete: boolean;
        };
        StoredPrice: "last" | "mark";
        StoredStrategy: {
            intervals: {
                interval: "1m" | "5m" | "15m" | "1h" | "4h" | "1d";
                weight: number;
            }[];
            weights: {
                [key: string]: number;
            };
            parameters?: components["schemas"]["VoteParameters"];
            entryThreshold: number;
            direction: "both" | "long" | "short";
            stop: {
                mode: "percent";
                fraction: number;
            } | {
                mode: "atr";
                multiple: number;
            };
            target: {
                mode: "percent";
                fraction: number;
            } | {
                mode: "atr";
                multiple: number;
            };
            atrPeriod: components["schemas"]["AtrPeriod"];
            trailing: {
                mode: "off" | "percent" | "atr";
                callbackFraction: number;
                stepFraction: number;
                atrMultiple: number;
                activationFraction: number;
            };
            breakEvenR: number;
            onOpposite: "hold" | "exit" | "reverse";
            holdingBarsMax: number;
            sizing: {
                mode: "fixed" | "risk";
                riskFraction: number;
                isCompounding: boolean;
            };
            rules?: components["schemas"]["RulesText"];
        };
        StrategiesResponse: {
            strategies: {
                id: string;
                name: string;
                version: string;
                value: components["schemas"]["StoredStrategy"];
                is_used: boolean;
                created_at: string;
                updated_at: string;
            }[];
            used: components["schemas"]["StrategyName"];
        };
        StrategyInput: {
            intervals: {
                interval: "1m" | "5m" | "15m" | "1h" | "4h" | "1d";
                weight: number;
            }[];
            weights: {
                rsi?: number;
                macd?: number;
                boll?: number;
                adx?: number;
                supertrend?: number;
                vwap?: number;
                mfi?: number;
                obv?: number;
                cci?: number;
                donchian?: number;
                ichimoku?: number;
                stochrsi?: number;
                fib?: number;
                ema_cross?: number;
                sma_cross?: number;
                ich_align?: number;
                ich_cloud?: number;
                pivot?: number;
                news?: number;
            };
            parameters?: components["schemas"]["VoteParameters"];
            entryThreshold: number;
            direction: "both" | "long" | "short";
            stop: {
                mode: "percent";
                fraction: number;
            } | {
                mode: "atr";
                multiple: number;
            };
            target: {
                mode: "percent";
                fraction: number;
            } | {
                mode: "atr";
                multiple: number;
            };
            atrPeriod: components["schemas"]["AtrPeriod"];
            trailing: {
                mode: "off" | "percent" | "atr";
                callbackFraction: number;
                stepFraction: number;
                atrMultiple: number;
                activationFraction: number;
            };
            breakEvenR: number;
            onOpposite: "hold" | "exit" | "reverse";
            holdingBarsMax: number;
            sizing: {
                mode: "fixed" | "risk";
                riskFraction: number;
                isCompounding: boolean;
            };
            rules?: components["schemas"]["RulesText"];
        };
        StrategyName: {
            name: string;
            version: string;
        };
        StrategyParams: {
            weights: components["schemas"]["Weights"];
            entryThreshold: number;
            slPct: number;
            tpPct: number;
            trailing: components["schemas"]["Trailing"];
            holdingBarsMax?: number;
        };
        StrategyParamsInput: {
            weights?: components["schemas"]["WeightsInput"];
            entryThreshold?: number;
            slPct?: number;
            tpPct?: number;
            trailing?: components["schemas"]["TrailingInput"];
            holdingBarsMax?: number;
        };
        StrategyReplayResponse: {
            origin: "replayed";
            state: "none" | "queued" | "running" | "done" | "failed" | "cancelled";
            version: string | null;
            requested_at: string | null;
            finished_at: string | null;
            symbols: number | null;
            symbols_done: number;
            symbols_failed: number;
            error: string | null;
            record: {
                origin: components["schemas"]["Origin"];
                signals: number;
                open: number;
                overdue: number;
                resolved: number;
                tp: number;
                sl: number;
                time: number;
                delisted: number;
                won: number;
                ambiguous: number;
                hit_rate: number | null;
                hit_rate_interval: components["schemas"]["RateInterval"];
                independent_count: number;
                mean_net_fraction: number | null;
                total_net_fraction: number | null;
                calibration: components["schemas"]["Calibration"];
                turned: number;
            } | null;
            mean_net_pct: number | null;
            net_low_pct: number | null;
            net_high_pct: number | null;
        };
        StrategyVersionsResponse: {
            versions: {
                version: string;
                value: components["schemas"]["StoredStrategy"];
                replaced_at: string | null;
            }[];
        };
        SubscriptionResponse: {
            current: {
                plan: components["schemas"]["ApiPlan"];
                hourly_limit: number;
                window_count: number;
                reset_at: string;
                started_at: components["schemas"]["InstantOrNull"];
                expires_at: components["schemas"]["InstantOrNull"];
            };
            plans: {
                plan: components["schemas"]["ApiPlan"];
                price_credits_month: number;
                hourly_limit: number;
            }[];
            paid: {
                plan: components["schemas"]["ApiPlan"];
                expires_at: string;
            }[];
        };
        SymbolName: string;
        SymbolsResponse: {
            exchange: components["schemas"]["ExchangeName"];
            market: "simulated" | "replay" | "live";
            data_age_ms: number;
            counts: {
                trading: number;
                suspended: number;
                left_out: {
                    stock: number;
                    commodity: number;
                    index: number;
                    otherAsset: number;
                    unclassified: number;
                    otherQuote: number;
                    datedFuture: number;
                    malformed: number;
                };
            };
            symbols: {
                symbol: string;
                base: string;
                tick_size: number;
                step_size: number;
                min_notional: number | null;
                max_quantity: number | null;
                max_leverage: number | null;
                listed_at: components["schemas"]["InstantOrNull"];
                status: "trading" | "halted";
            }[];
        };
        TargetChange: {
            is_on?: boolean;
            kinds?: ("scan_finished" | "credits_low" | "position_opened" | "position_closed" | "arbitrage_spread")[];
        };
        TargetShares: {
            price: number;
            fraction: number;
        }[];
        TargetSharesInput: {
            price: number;
            fraction: number;
        }[];
        Targets: {
            price: number;
            fraction: number;
        }[];
        TestResponse: {
            notification_id: string;
        };
        Trade: {
            side: "LONG" | "SHORT";
            entryIndex: number;
            exitIndex: number;
            entryTimeMs: number;
            exitTimeMs: number;
            entryPrice: number;
            exitPrice: number;
            quantity: number;
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
            enabled: boolean;
            callbackPct: number;
            stepPct: number;
            mode?: "percent" | "atr";
            atrMultiplier?: number;
            atrPeriod?: components["schemas"]["AtrPeriod"];
            activationPct?: number;
        };
        TrailingChange: {
            enabled: boolean;
            mode?: "percent" | "atr";
            callback_pct?: number;
            step_pct?: number;
            atr_mult?: number;
            atr_period?: number;
            activation_pct?: number;
        };
        TrailingInput: {
            enabled?: boolean;
            callbackPct?: number;
            stepPct?: number;
            mode?: "percent" | "atr";
            atrMultiplier?: number;
            atrPeriod?: components["schemas"]["AtrPeriod"];
            activationPct?: number;
        };
        TrialsBytes: string;
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
        TuningHalf: {
            is_enough: boolean;
            needed: number;
            all: components["schemas"]["OutcomeGroup"];
            passed: components["schemas"]["OutcomeGroup"];
            vetoed: components["schemas"]["OutcomeGroup"];
            random: {
                mean: number;
                low: number;
                high: number;
            } | null;
            value_added: number | null;
            p_value: number | null;
            turned: number;
            brier_before: number | null;
            brier_after: number | null;
        };
        TuningResponse: {
            weights: components["schemas"]["Tuning"];
            updated_at: components["schemas"]["InstantOrNull"];
            presets: {
                conservative: number;
                balanced: number;
                aggressive: number;
            };
            versions: {
                id: string;
                name: string;
                weights: components["schemas"]["Tuning"];
                created_at: string;
            }[];
        };
        TuningValue: {
            saved_at: string;
            confidence_floor: number | null;
            in_sample: components["schemas"]["TuningHalf"];
            out_of_sample: components["schemas"]["TuningHalf"];
            unexplained: number;
        };
        TuningWeight: number;
        TweetsResponse: {
            is_connected: boolean;
            name: string | null;
            is_simulated: boolean;
            message: string | null;
            posts: {
                id: string;
                text: string;
                link: string;
                author: string | null;
                posted_at: string;
                symbols: string[];
                sentiment: "bullish" | "bearish" | "neutral";
            }[];
        };
        UsernameResponse: {
            username: string | null;
        };
        VenueQuote: {
            contract: string;
            multiplier: number;
            bid: number;
            ask: number;
            atMs: number;
            receivedAtMs: number;
            source: "stream" | "request";
            fundingRate: number | null;
            nextFundingAtMs: number | null;
            fundingIntervalHours: number | null;
        };
        VisionAnalysis: {
            id: string;
            created_at: string;
            symbol: string | null;
            direction: "LONG" | "SHORT" | "NEUTRAL";
            confidence: number;
            confidence_kind: "score" | "calibrated";
            timeframe: string | null;
            risk_score: number;
            sentiment: ("bullish" | "bearish") | null;
            levels: components["schemas"]["VisionLevels"];
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
            decided_by: "rules" | "model";
            decided_because: string;
            model_failure: string | null;
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
            grounding: components["schemas"]["VisionGrounding"] | null;
            candles: components["schemas"]["VisionCandles"] | null;
            spots: components["schemas"]["VisionSpots"];
            lines: components["schemas"]["VisionLine"][];
            opening: components["schemas"]["VisionOpening"] | null;
        };
        VisionCandles: {
            is_real: boolean;
            time: number[] | null;
            open: number[];
            high: number[];
            low: number[];
            close: number[];
            volume: number[] | null;
            has_prices: boolean;
        };
        VisionGrounding: {
            state: "verified" | "read";
            symbol: string | null;
            interval: string | null;
            from: components["schemas"]["InstantOrNull"];
            to: components["schemas"]["InstantOrNull"];
            is_current: boolean;
            candle_count: number;
            correlation: number | null;
            correlation_part?: {
                first: number;
                last: number;
            } | null;
            residual_pct: number | null;
            symbols_searched: number;
            intervals_searched: string[];
            series_searched: number;
            candles_searched: number;
            price_scale: ("linear" | "log") | null;
            price_error_pct: number | null;
            text_failure: ("timeout" | "failed") | null;
            price_labels: number;
            title_symbol: string | null;
            title_interval: string | null;
            contradiction: string | null;
        };
        VisionLevels: {
            entry: number | null;
            sl: number | null;
            tp: number | null;
        };
        VisionLine: {
            colour: string;
            points: {
                x: number;
                y: number;
            }[];
            seen_share: number;
            last_value: number | null;
        };
        VisionMark: "verified" | "read" | "guessed";
        VisionOpening: {
            outcome: "opened" | "skipped" | "failed";
            message: string;
            detail: string | null;
            position_id: string | null;
        };
        VisionPattern: {
            id: string;
            title: string;
            direction: "bullish" | "bearish" | "neutral";
            index: number;
            points: {
                index: number;
                side: "high" | "low" | "close";
            }[];
            drawn: "candle" | "zigzag" | "sides" | "level";
            record: {
                interval: string;
                horizon_candles: number;
                count: number;
                followed_share: number | null;
                followed_low: number | null;
                followed_high: number | null;
                base_share: number;
                beats_base: boolean;
                series: number;
            } | null;
        };
        VisionRecord: {
            by: "rules" | "model";
            model: string | null;
            interval: string;
            horizon_candles: number;
            count: number;
            needed: number;
            right_count: number;
            right_share: number | null;
            right_low: number | null;
            right_high: number | null;
            long_share: number | null;
            rose_share: number | null;
            base_share: number | null;
        };
        VisionResponse: {
            analysis: components["schemas"]["VisionAnalysis"];
            credits: number;
        };
        VisionSpots: {
            index: number;
            x: number;
            high: number;
            low: number;
            close: number;
        }[];
        VisionStatistics: {
            closed_count: number;
            needed: number;
            records: components["schemas"]["VisionRecord"][];
            installation: {
                needed: number;
                horizon_candles: number;
                patterns: {
                    id: string;
                    title: string;
                    direction: "bullish" | "bearish";
                    count: number;
                    right_count: number;
                    right_low: number | null;
                    right_high: number | null;
                }[];
                sentiments: {
                    sentiment: "bullish" | "bearish";
                    count: number;
                    right_count: number;
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
                sentiment: "bullish" | "bearish";
                count: number;
                win_count: number;
                win_share: number;
                mean_roi_pct: number;
                net_pnl: number;
            }[];
        };
        VisionTimeframe: {
            interval: string;
            direction: "LONG" | "SHORT" | "NEUTRAL";
            score: number;
        } | null;
        VisionView: {
            by: "rules" | "model";
            model: string | null;
            direction: "LONG" | "SHORT" | "NEUTRAL";
            confidence: number;
            sentiment: ("bullish" | "bearish") | null;
            risk_score: number;
            levels: components["schemas"]["VisionLevels"];
            rationale: string;
            record: components["schemas"]["VisionRecord"] | null;
        };
        VoteParameters: {
            rsi?: {
                period?: number;
                oversold?: number;
                overbought?: number;
            };
            macd?: {
                fast?: number;
                slow?: number;
                signal?: number;
            };
            boll?: {
                period?: number;
                width?: number;
            };
            adx?: {
                period?: number;
                trend?: number;
            };
            supertrend?: {
                period?: number;
                multiple?: number;
            };
            vwap?: {
                period?: number;
            };
            mfi?: {
                period?: number;
                oversold?: number;
                overbought?: number;
            };
            obv?: {
                mean?: number;
            };
            cci?: {
                period?: number;
                breakout?: number;
            };
            donchian?: {
                period?: number;
            };
            ichimoku?: {
                tenkan?: number;
                kijun?: number;
                span?: number;
                displacement?: number;
            };
            stochrsi?: {
                rsi?: number;
                stochastic?: number;
                k?: number;
                d?: number;
                oversold?: number;
                overbought?: number;
            };
            fib?: {
                reach?: number;
                near?: number;
                far?: number;
            };
            ema_cross?: {
                fast?: number;
                slow?: number;
            };
            sma_cross?: {
                fast?: number;
                slow?: number;
            };
            ich_align?: {
                tenkan?: number;
                kijun?: number;
            };
            ich_cloud?: {
                tenkan?: number;
                kijun?: number;
                span?: number;
                displacement?: number;
            };
        };
        VoteRecord: {
            vote: string;
            count: number;
            hit_rate: number | null;
            hit_rate_interval: components["schemas"]["RateInterval"];
        };
        WalkForward: {
            kind: "anchored" | "rolling";
            folds: number;
            purgeBars: number;
            embargoBars: number;
        };
        WalkForwardInput: {
            kind?: "anchored" | "rolling";
            folds?: number;
            purgeBars?: number;
            embargoBars?: number;
        };
        WalkForwardResult: {
            folds: {
                train: {
                    start: number;
                    end: number;
                };
                test: {
                    start: number;
                    end: number;
                };
                trainPnlPerBar: number;
                testPnlPerBar: number;
                testNetPnl: number;
                testTradeCount: number;
                params: components["schemas"]["StrategyParams"];
                strategy?: components["schemas"]["StoredStrategy"];
                values?: {
                    [key: string]: number;
                };
            }[];
            efficiency: number | null;
            reason?: string;
            testNetPnl: number;
            profitableFoldCount: number;
            testPnlPerBarMin: number;
            testPnlPerBarMax: number;
            unknownBars?: number[];
        };
        Warning: "stop_within_guard" | "leverage_capped" | "funding_soon" | "loss_above_risk" | "margin_reduced" | "order_limited";
        WatchlistResponse: {
            entries: {
                symbol: string;
                created_at: string;
            }[];
        };
        Webhook: {
            id: string;
            url: string;
            events: components["schemas"]["WebhookEventName"][];
            active: boolean;
            secret_hint: string;
            payload: {
                [key: string]: unknown;
            };
            created_at: string;
            last_delivery_at: components["schemas"]["InstantOrNull"];
            last_status: number | null;
            last_sequence: number;
            last_test_at: components["schemas"]["InstantOrNull"];
            last_test_succeeded: boolean | null;
            failing_since: components["schemas"]["InstantOrNull"];
            off_reason: string | null;
        };
        WebhookCreated: {
            webhook: components["schemas"]["Webhook"];
            secret: string;
        };
        WebhookDeliveriesResponse: {
            deliveries: components["schemas"]["WebhookDelivery"][];
        };
        WebhookDelivery: {
            id: string;
            event: string;
            sequence: number | null;
            state: "waiting" | "sent" | "failed";
            attempt_count: number;
            next_attempt_at: components["schemas"]["InstantOrNull"];
            status: number | null;
            duration_ms: number | null;
            failure: string | null;
            body: string;
            created_at: string;
            finished_at: components["schemas"]["InstantOrNull"];
        };
        WebhookDeliveryResponse: {
            delivery: components["schemas"]["WebhookDelivery"];
        };
        WebhookEventName: "signal.created" | "signal.found" | "position.opened" | "position.closed" | "alert.fired" | "payment.completed" | "credits.low" | "plan.expiring";
        WebhookPayloadInput: {
            url: string;
            events?: components["schemas"]["WebhookEventName"][];
        } & {
            [key: string]: unknown;
        };
        WebhookRequest: {
            url: string;
        };
        WebhookResponse: {
            webhook: components["schemas"]["Webhook"];
        };
        WebhookTestRequest: {
            webhook_id?: string;
            url?: string;
            event?: components["schemas"]["WebhookEventName"];
        } | null;
        WebhookTestResponse: {
            success: boolean;
            error: "Webhook test failed" | null;
            message: string;
            webhook_id: string;
            delivery_id: string;
            status: number | null;
            duration_ms: number | null;
            tested_at: string;
        };
        WebhookUpdate: {
            url?: string;
            events?: components["schemas"]["WebhookEventName"][];
            active?: boolean;
        };
        WebhooksResponse: {
            webhooks: components["schemas"]["Webhook"][];
            is_demo: boolean;
            practice_receiver: string | null;
        };
        Weights: {
            rsi: number;
            macd: number;
            boll: number;
            adx: number;
            supertrend: number;
            vwap: number;
            mfi: number;
            obv: number;
            cci: number;
            donchian: number;
            ichimoku: number;
            stochrsi: number;
            fib: number;
        };
        WeightsInput: {
            rsi?: number;
            macd?: number;
            boll?: number;
            adx?: number;
            supertrend?: number;
            vwap?: number;
            mfi?: number;
            obv?: number;
            cci?: number;
            donchian?: number;
            ichimoku?: number;
            stochrsi?: number;
            fib?: number;
        };
        WhoAmIResponse: {
            user_id: string;
            username: string | null;
            mode: components["schemas"]["KeyMode"];
            key: {
                id: string;
                name: string;
                scopes: components["schemas"]["ApiScopeName"][];
                credit_cap: number | null;
            } | null;
            ip: string;
            plan: components["schemas"]["ApiPlan"];
            hourly_limit: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
