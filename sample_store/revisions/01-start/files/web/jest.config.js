export default { testMatch: ["**/src/**/*.test.ts"] };
