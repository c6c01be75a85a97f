/* Says with what the kernel exports what it does not. */
#include <linux/irq.h>
#include <linux/irqdesc.h>
#define irq_to_desc(number) irq_data_to_desc(irq_get_irq_data(number))
