import { fetchTools } from "./api";
import { monthDays } from "./calendar";

fetchTools().then((tools) => {
  document.body.textContent = `${tools.length} tools, ${monthDays(new Date()).length} days`;
});
