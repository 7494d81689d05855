import { fetchTools } from "./api";
import { LoanCalendar } from "./calendar";

const calendar = new LoanCalendar(new Date());

fetchTools().then((tools) => {
  document.body.textContent = `${tools.length} tools, ${calendar.days().length} days`;
});
